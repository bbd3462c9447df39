import type { MeetingKindId } from './meeting-kinds.ts'
import type { Exchange } from './transcript-frames.ts'

/** Exchanges in meetings with new or prospective customers. */
export const startTalks: Readonly<Partial<Record<MeetingKindId, readonly Exchange[]>>> = {
  kickoff: [
    [
      'H: Let us begin with the goal. What has to be different when this is done?',
      'G: People must stop arguing about whose figure is right.',
      'H: I write that at the top of the plan, word for word.',
    ],
    [
      'G: We would like to start with one site and learn from it.',
      'H: Which one?',
      'G: The one where nobody is afraid of new tools. The others follow by themselves.',
    ],
    [
      'S: From the technical side we need an account for single sign-on and one contact in IT.',
      'O: That would be me. Send me the form and I start it today.',
      'S: It takes ten minutes, most of it is waiting.',
    ],
    [
      'H: Who decides when something is unclear?',
      'G: I do. If I am away, {other} does.',
      'H: Good. Projects rarely fail for another reason.',
    ],
    [
      'G: What do you need from us in the first week?',
      'H: Access, one file of real data, and an hour with the people who will use it.',
      'G: The hour will be the hardest part.',
      'H: It is the most important one, too.',
    ],
    [
      'O: How long until we see something of our own?',
      'S: With your own data, about ten days. With sample data, this afternoon.',
      'O: Then show me the sample first.',
    ],
  ],
  onboarding: [
    [
      'H: How did the test with your own data go?',
      'G: Better than I thought. Two totals are off, everything else fits.',
      'S: Send me the two and I compare them with the source.',
    ],
    [
      'O: Sign-on works for me, but not for my colleague.',
      'S: Is the colleague in the same group?',
      'O: No. That will be it.',
      'S: Then it is solved in a minute.',
    ],
    [
      'G: I am worried about the date. Month end is in the same week.',
      'H: Would a week later help?',
      'G: A lot. Nobody has time for new things at month end.',
      'H: Then we move it, before it moves by itself.',
    ],
    [
      'H: Who will answer the first questions from colleagues?',
      'G: {other} and I share that.',
      'H: I give you both a page with the ten questions that always come.',
    ],
    [
      'S: The import is through. Some rows have no site, what shall we do with those?',
      'G: Put them under head office for now.',
      'S: Done. You can change that later without a new import.',
    ],
    [
      'G: People ask whether they must give up their old sheets.',
      'H: Not on the first day. After a month most do it by themselves.',
      'G: I will tell them that.',
    ],
  ],
  introduction: [
    [
      'H: What made you look at this now?',
      'G: We do it by hand, and the person who does it retires in summer.',
      'H: That is a better reason than most.',
    ],
    [
      'S: I prepared this with figures like yours, so you need not imagine anything.',
      'G: That looks familiar. Even the gap in March.',
      'S: Click on it and you see where it comes from.',
    ],
    [
      'O: What would we have to set up ourselves?',
      'S: Nothing on your machines. One connection, and who may see what.',
      'O: Who may see what will take longer than the connection.',
      'S: It always does.',
    ],
    [
      'G: What does it cost?',
      'H: It depends on how many people work with it. I send you two variants.',
      'G: Keep the small one honest, please. We grow later if it works.',
    ],
    [
      'G: We looked at something similar two years ago and gave up.',
      'H: What went wrong?',
      'G: Nobody owned it. This time somebody does.',
    ],
    [
      'O: Can we try it with our own data?',
      'H: Yes, for four weeks. We help with the first day.',
      'O: Then I would like to do that before we talk about money.',
    ],
  ],
  integration: [
    [
      'S: Let us look at the connection first. Which of your systems is the leading one?',
      'O: For customers the one, for orders the other.',
      'S: Then we need a key that both know. Do you have one?',
      'O: The account number. It is clean since last year.',
    ],
    [
      'O: Our security people want to know what leaves the house.',
      'S: Only the fields that you tick. I show you the list.',
      'O: I take a picture of that for them.',
    ],
    [
      'G: How often does it run?',
      'S: Every hour, or at night if you would rather.',
      'G: At night. Nobody looks at it before eight anyway.',
    ],
    [
      'S: Two fields do not arrive. They are empty on your side, too.',
      'O: Right, they are filled by a job that was switched off.',
      'S: Then we leave them out until it is back.',
    ],
    [
      'O: What happens if the connection is down?',
      'S: It waits and catches up. You get a message after the second failure.',
      'O: To me, please, not to the whole team.',
    ],
    ['G: Do we pay for every row?', 'H: No. It is part of what you have.', 'G: Good. I had to ask.'],
  ],
  training: [
    [
      'H: Let us do the first exercise together. Open the page that you use most.',
      'G: That is the overview.',
      'H: Now take out last month and see what changes.',
      'G: Ah, so that is where the filter is.',
    ],
    [
      'O: I always export everything and work on in a sheet.',
      'S: Show me which columns, perhaps we can spare you that.',
      'O: These four. Every Monday.',
      'S: Then save this view, and on Monday it is ready.',
    ],
    [
      'G: What if I break something?',
      'H: You cannot. Everything that you do here stays in your own copy until you share it.',
      'G: You should say that at the beginning, people are afraid of it.',
    ],
    [
      'S: Second exercise: find the week with the largest change.',
      'O: Week thirty-two.',
      'S: And why?',
      'O: Because of the holidays. No, wait: because one site is missing.',
      'S: Exactly. That took me longer.',
    ],
    [
      'G: Could we have this in writing? Half of the team is on shift.',
      'H: You get the recording and two pages with pictures.',
      'G: Two pages is what people read.',
    ],
    [
      'H: Which question do you hear most from colleagues?',
      'G: Why the figure of today differs from the one of yesterday.',
      'H: Then we do that one now, with your data.',
    ],
  ],
}
