import type { Texts } from '../src/store/texts.ts'
import { generateBrief } from './brief-texts.ts'
import { generateLogMessage } from './log-messages.ts'
import { generateTranscript } from './transcripts.ts'

/** Creates a reader of long texts, which generates each one from the key of its row when it is read. */
export function createTexts(seed: number): Texts {
  return {
    transcript: (meeting, data) => generateTranscript(meeting, data, seed),
    briefContent: (content, data) => generateBrief(content, data, seed),
    logMessage: (log, data) => generateLogMessage(log, data, seed),
  }
}
