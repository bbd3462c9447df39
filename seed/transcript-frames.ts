/**
 * Lines of a conversation, each by one of four speakers: H the host, S somebody with the host, G the guest, O somebody
 * with the guest. Braces contain first names and the subject of the meeting.
 */
export type Exchange = readonly string[]

/** Openings of meetings. */
export const openings: readonly Exchange[] = [
  [
    'H: Good morning, {guest}. Can you hear me?',
    'G: Loud and clear. Good morning.',
    'H: Then let us start; today is about {subject}.',
  ],
  [
    'G: Sorry, I am two minutes late, the last call ran over.',
    'H: No problem at all, {guest}. We have time for {subject}.',
  ],
  [
    'H: Hello everyone, thanks for making the time.',
    'G: Hello {host}. Happy to.',
    'H: I have one topic on my list, {subject}. Anything from your side?',
    'G: Let us begin with yours, mine may answer itself.',
  ],
  [
    'H: Hi {guest}, how was the week?',
    'G: Busy. We close the quarter, so everybody wants figures.',
    'H: Then I will keep it short: {subject}, as in the invitation.',
  ],
  [
    'S: Recording is on, if that is all right for everyone.',
    'G: Fine with me.',
    'H: Thank you. Then I share my screen, {guest}, and we look at {subject}.',
    'G: Please do.',
  ],
  [
    'H: Welcome back, {guest}. You look rested.',
    'G: Two weeks without mail. I recommend it.',
    'H: Then I fear we bring you back to {subject}.',
    'G: Go ahead.',
  ],
  [
    'G: Before we start, {other} joins us today.',
    'O: Hello. I mostly listen, if that is fine.',
    'H: Very welcome. The topic is {subject}.',
  ],
  [
    'H: Shall we wait for anyone?',
    'G: No, we are complete. The others read the notes.',
    'H: Good, then {subject}.',
  ],
]

/** Exchanges that fit meetings of any kind. */
export const asides: readonly Exchange[] = [
  [
    'G: One question in between: who gets the notes of this meeting?',
    'H: Everyone who is invited, within the hour.',
    'G: Good, then I need not write.',
  ],
  [
    'S: I can show that, it is easier than describing it.',
    'G: Yes, please.',
    'S: Here at the top right. That is all there is to it.',
    'G: Ah. I would never have looked there.',
  ],
  [
    'G: My manager will ask what this costs us in time.',
    'H: About two hours a month, once it runs.',
    'G: That I can defend.',
  ],
  [
    'H: Is the timing still right for you?',
    'G: Yes, as long as it does not fall into the closing week.',
    'H: Then we stay clear of that week.',
  ],
  [
    'S: There is a page in the documentation about this. I put the link into the chat.',
    'G: Got it. Is it up to date?',
    'S: Since last week it is.',
  ],
  [
    'O: I lost you for a moment, could you repeat the last sentence?',
    'H: Of course. I said that you get all of this in writing.',
    'O: Good, that is what I hoped to hear.',
  ],
  ['G: Give me a second, I write that down. Yes, go on.', 'H: Take your time.'],
]

/** Exchanges between people who know each other. */
export const familiarAsides: readonly Exchange[] = [
  [
    'O: Can I come in here? The people at our second site do not know about any of this.',
    'H: Would a short session for them help?',
    'O: Half an hour would be enough.',
  ],
  [
    'O: Who do we call if it breaks on a weekend?',
    'H: Support is there on both days. I send you the number.',
    'O: Thank you. Last time we did not have it at hand.',
  ],
  [
    'G: Honestly, half a year ago I did not believe that we would get this far.',
    'H: May I quote you on that?',
    'G: Ask me again in spring.',
  ],
  [
    'G: We have a new colleague from Monday on. Can you add an account?',
    'H: Send me the name and it is done today.',
  ],
  [
    'G: By the way, the guide that you sent hangs next to our coffee machine.',
    'H: That is the best place for it.',
  ],
]

/** Lines with which the host introduces the summary. */
export const recaps: readonly Exchange[] = [
  ['H: I read out what I have for the minutes.'],
  ['H: We are nearly at the end. In the minutes I write:'],
  ['G: Could you put it in two sentences for the minutes?', 'H: Gladly.'],
  ['H: Before we part, the short version for those who could not come.'],
]

/** Lines with which the host introduces the next steps. */
export const stepsLeads: readonly string[] = [
  'H: Then the next steps.',
  'H: Who does what, so that we do not forget:',
  'H: From today we take along the following.',
]

/** Farewells at the end of meetings. */
export const farewells: readonly Exchange[] = [
  ['G: Sounds right to me.', 'H: Then thank you, {guest}, and until next time.', 'G: Thanks, bye.'],
  ['G: Nothing to add.', 'H: Wonderful, five minutes back for everyone. Goodbye.'],
  [
    'G: Agreed. Send it to me and I will forward it.',
    'H: You have it this afternoon. Goodbye, {guest}.',
    'G: Goodbye.',
  ],
  ['O: Thank you, that was useful.', 'H: Thank you both. Have a good day.', 'G: You too.'],
  ['G: Fine. Same time next month?', 'H: It is in the calendar already. Take care.'],
]
