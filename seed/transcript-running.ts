import type { MeetingKindId } from './meeting-kinds.ts'
import type { Exchange } from './transcript-frames.ts'

/** Exchanges in meetings with existing customers. */
export const runningTalks: Readonly<Partial<Record<MeetingKindId, readonly Exchange[]>>> = {
  checkIn: [
    [
      'H: How is it going with {subject}?',
      'G: Quietly, which is a compliment.',
      'H: I take it as one. The figures on my side say the same.',
    ],
    [
      'G: Two people asked me for access last week, without any advertising.',
      'H: From which department?',
      'G: Purchasing. They saw it in a meeting and wanted the same.',
    ],
    [
      'H: Last time you had an open ticket. Is that done?',
      'G: It was solved the next day. I forgot to say thank you.',
      'H: I pass it on.',
    ],
    [
      'G: There is one thing that annoys the team, it is small but daily.',
      'H: Tell me.',
      'G: After every change you are back at the top of the page.',
      'H: I know that one. I will ask when it is planned.',
    ],
    [
      'H: Who else should join these calls?',
      'G: {other}, if you do not mind. It will be the daily work there.',
      'H: Gladly. I add an invitation.',
    ],
    [
      'G: We prepare the budget. Can you send me what we used this year?',
      'H: By person or by month?',
      'G: By month. By person only leads to discussions.',
    ],
  ],
  review: [
    [
      'H: First the goals that we set three months ago. Two of three are reached.',
      'G: I would say two and a half.',
      'H: I leave the half to you. What is missing for the whole?',
      'G: The second site. They start now.',
    ],
    [
      'H: This is the use by month. You see the dip and you see when it ends.',
      'G: That was the reorganisation. I had feared it would be worse.',
      'H: What helped was the training in the middle of it.',
    ],
    [
      'G: The board will ask what it brings in money.',
      'H: How many hours did the monthly report take before?',
      'G: Three people, four days each.',
      'H: And now?',
      'G: One person, one day. I see what you mean.',
    ],
    [
      'O: From the team I hear that it is faster, but that they miss the comments.',
      'S: Comments are in the trial group. I can add you.',
      'O: Please. I will find two people who test it.',
    ],
    [
      'H: What should we do better?',
      'G: Tell us earlier when something changes. We found the new menu by accident.',
      'H: Fair. You get the notes a week before from now on.',
    ],
    [
      'H: Let us set the next three goals.',
      'G: The first is easy: everybody who has access uses it once a week.',
      'H: Agreed. And something bolder?',
      'G: No more sheets in the Monday meeting.',
    ],
  ],
  renewal: [
    [
      'H: The contract runs out soon. Where do you stand?',
      'G: We want to go on. The question is how, and for how long.',
      'H: Then let us talk about both.',
    ],
    [
      'G: Procurement will ask for a discount, whatever I say.',
      'H: What would help you in that talk?',
      'G: A reason. A longer term would be one.',
      'H: Then I write you one offer for each.',
    ],
    [
      'O: We pay for more seats than we use.',
      'H: Right, eleven have not signed in this quarter. Shall we take them out?',
      'O: Half of them. The others come back after parental leave.',
    ],
    [
      'G: I need two figures for the board: what we paid and what we saved.',
      'H: You get both on one page.',
      'G: Not more than one, please.',
    ],
    [
      'O: Legal has a remark on the notice period.',
      'H: Send it over. Last year we found a wording within a day.',
      'O: I hope it is the same person.',
    ],
    [
      'H: Who signs in the end?',
      'G: Above a certain sum the finance director. I will prepare that.',
      'H: Shall I join you for it?',
      'G: If it comes to questions, yes.',
    ],
  ],
  escalation: [
    [
      'G: I will be frank: people have stopped trusting it.',
      'H: I understand that. Let me tell you what we know and what we do not know yet.',
      'G: Please. The second part matters more to me.',
    ],
    [
      'S: We can reproduce it since this morning. It happens when two things come together.',
      'G: Which two?',
      'S: An old setting and the new version. Alone, each is harmless.',
    ],
    [
      'O: Every time I ask I get another answer.',
      'H: From now on you get one, from me, every day until it is solved.',
      'O: Even if there is nothing new?',
      'H: Even then.',
    ],
    [
      'G: When will it be fixed?',
      'S: The fix is written and in review. I would rather promise Thursday and be early.',
      'G: Thursday then. I will tell them Friday.',
    ],
    [
      'O: What do we do until then?',
      'S: Switch this one off and run it by hand at noon. I show you how.',
      'O: That works. It is a nuisance, but it works.',
    ],
    [
      'G: I want to know why nobody noticed it before we did.',
      'H: So do we. You get that in writing, with what we change.',
      'G: Good. That is what I can show upstairs.',
    ],
  ],
  roadmap: [
    [
      'S: These are the three things that we work on. Which would you miss least?',
      'G: The third. Nobody here has asked for it.',
      'S: That is more helpful than you think.',
    ],
    [
      'G: What we need is not on the page.',
      'H: Tell me how you do it today.',
      'G: By hand, on Fridays, with a list on the wall.',
      'H: May I come and look at that list?',
    ],
    [
      'O: Will anything that we use today go away?',
      'S: One old export at the end of the year. There is a better one already.',
      'O: Then help us to move before that.',
    ],
    [
      'H: Would you try the first version? It will have rough edges.',
      'G: How rough?',
      'H: It may be slow, but it will not lose anything.',
      'G: Then yes, with a small group.',
    ],
    [
      'G: How do you decide what comes first?',
      'S: By how many ask, and by how much it hurts them.',
      'G: Then write down that it hurts us on Fridays.',
    ],
  ],
  executive: [
    [
      'H: Thank you for taking the time yourself. What is on your mind this year?',
      'G: Growth without more people in the back office.',
      'H: Then let us see what we can contribute to that, and what we cannot.',
    ],
    [
      'G: I read the reports. What do they not tell me?',
      'H: That much of the progress depends on one person on your side.',
      'G: I know whom you mean. We are working on it.',
    ],
    [
      'O: We have many suppliers. Why should we talk to this one more often?',
      'H: Because a third of your plans for this year needs what we build together.',
      'O: Fair enough. Twice a year, then, and with an agenda.',
    ],
    [
      'G: Last autumn we were close to leaving. You should know that.',
      'H: I know, and I am glad that you say it. What changed your mind?',
      'G: That somebody came over and listened.',
    ],
    [
      'G: What would you do in our place?',
      'H: Finish the second site before starting anything new.',
      'G: That is not what a salesman says.',
      'H: It is what makes the next talk easier.',
    ],
  ],
  offboarding: [
    [
      'H: I am sorry to see you go, and I would like to make it easy.',
      'G: I appreciate that. We need the data, complete and readable.',
      'S: You get everything as files, with a list of what is in them.',
    ],
    [
      'H: May I ask what decided it?',
      'G: The price was one thing. The other was that something which we need every day was not there.',
      'H: Thank you for saying it plainly.',
    ],
    [
      'O: Until when can we still look things up?',
      'S: Until the end of the contract, and thirty days more for reading.',
      'O: That is enough.',
    ],
    [
      'G: Please delete what you have of us afterwards.',
      'H: You get a confirmation in writing.',
      'G: Our data protection people will be happy.',
    ],
    [
      'G: I would not rule out that we talk again.',
      'H: Then I ask you in a year, and not before.',
      'G: That is fair.',
    ],
  ],
}
