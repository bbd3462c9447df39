interface Names {
  readonly first: readonly string[]
  readonly last: readonly string[]
}

const names = (first: string, last: string): Names => ({ first: first.split(' '), last: last.split(' ') })

const spanish = names(
  'Lucía Alejandro Carmen Javier Marta Diego Elena Pablo Sofía Andrés Inés Raúl Paula Sergio Nuria Iván Clara Hugo ' +
    'Rocío Mateo Alba Tomás Irene Gonzalo',
  'García Fernández López Martínez Sánchez Pérez Gómez Ruiz Díaz Moreno Álvarez Romero Navarro Torres Domínguez ' +
    'Ramos Gil Serrano Molina Castro Ortega Rubio Marín Iglesias Cortés Guerrero',
)

/** Names of people by country, for countries without English names. */
export const namesByCountry: ReadonlyMap<string, Names> = new Map([
  ['Spain', spanish],
  ['Mexico', spanish],
  [
    'Brazil',
    names(
      'Ana Bruno Camila Daniel Fernanda Felipe Gabriela Gustavo Helena Henrique Isabela João Juliana Lucas Larissa ' +
        'Marcelo Mariana Pedro Patrícia Rafael Renata Rodrigo Tatiana Thiago',
      'Silva Santos Oliveira Souza Lima Pereira Ferreira Costa Rodrigues Almeida Nascimento Carvalho Araújo Ribeiro ' +
        'Barbosa Rocha Dias Moreira Cardoso Teixeira Correia Monteiro Mendes Freitas',
    ),
  ],
  [
    'Germany',
    names(
      'Anna Lukas Lena Felix Katharina Jan Sabine Stefan Miriam Tobias Jana Matthias Franziska Sebastian Nadine ' +
        'Moritz Heike Florian Anke Christoph Leonie Holger Birgit Emre',
      'Müller Schmidt Schneider Fischer Becker Hoffmann Schäfer Koch Richter Klein Wolf Neumann Schwarz Zimmermann ' +
        'Krüger Hartmann Lange Vogel Keller Günther Yıldız Seidel Brandt Kaiser Pohl Winkler',
    ),
  ],
  [
    'France',
    names(
      'Camille Antoine Manon Julien Chloé Nicolas Léa Mathieu Élise Guillaume Inès Thomas Aurélie Rémi Sophie ' +
        'Karim Hélène Olivier Margaux Étienne Nadia Pascal Océane Yannick',
      'Martin Bernard Dubois Petit Durand Leroy Moreau Laurent Lefebvre Roux Fournier Girard Bonnet Lambert ' +
        'Fontaine Rousseau Vincent Faure Mercier Blanc Benali Chevalier Garnier Noël Renard',
    ),
  ],
  [
    'Netherlands',
    names(
      'Sanne Daan Lotte Bram Femke Thijs Anouk Jeroen Marit Ruben Iris Niels Esther Sander Roos Maarten Yara ' +
        'Willem Noor Joost Eline Bas Fatima Koen',
      'Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Dijkstra Kuipers Veenstra ' +
        'Postma Schouten Kramer Hoekstra Verhoeven Koster Willems Prins Blom',
    ),
  ],
  [
    'Sweden',
    names(
      'Elin Oskar Maja Erik Linnea Johan Sara Anders Ebba Gustav Karin Viktor Ingrid Mikael Åsa Henrik Frida ' +
        'Lars Moa Nils Emelie Björn Amira Jonas',
      'Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Lindberg Lindqvist Bergström ' +
        'Sandberg Forsberg Sjöberg Wallin Engström Nyström Holm Ekström Hedlund Åkesson Dahl Lund',
    ),
  ],
  [
    'Poland',
    names(
      'Anna Piotr Katarzyna Tomasz Agnieszka Marcin Małgorzata Paweł Joanna Krzysztof Ewa Michał Zofia Jakub ' +
        'Magdalena Wojciech Aleksandra Łukasz Natalia Grzegorz Hanna Rafał Iga Bartosz',
      'Nowak Kowalczyk Wójcik Woźniak Mazur Krawczyk Kaczmarek Zając Król Wieczorek Jabłoński Wróbel Dudek Pawlak ' +
        'Walczak Stępień Michalak Sikora Baran Duda Szewczyk Pietrzak Marciniak Bąk',
    ),
  ],
  [
    'Italy',
    names(
      'Giulia Marco Chiara Luca Francesca Andrea Elisa Matteo Valentina Davide Silvia Stefano Alessia Paolo ' +
        'Martina Simone Federica Giorgio Serena Riccardo Ilaria Nicolò Beatrice Enrico',
      'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Giordano ' +
        'Mancini Lombardi Moretti Barbieri Fontana Santoro Caruso Ferri Leone',
    ),
  ],
  [
    'India',
    names(
      'Aarav Ananya Arjun Deepa Divya Farhan Gauri Harish Ishaan Kavya Lakshmi Manoj Meera Nikhil Pooja Rahul ' +
        'Rekha Rohan Sanjay Sneha Suresh Tanvi Varun Zoya',
      'Sharma Iyer Patel Reddy Nair Gupta Mehta Rao Kulkarni Menon Desai Joshi Bose Chatterjee Khan Pillai Shetty ' +
        'Verma Bhat Kapoor Malhotra Banerjee Naidu Sethi',
    ),
  ],
  [
    'Japan',
    names(
      'Haruto Yui Sota Aoi Ren Sakura Kenji Hina Takumi Mei Daiki Emi Shun Naomi Kaito Rina Hiroshi Ayaka Yuto ' +
        'Kaori Ryo Misaki Satoshi Yuka',
      'Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Matsumoto ' +
        'Inoue Kimura Hayashi Shimizu Mori Abe Ikeda Hashimoto Ogawa Okada',
    ),
  ],
])
