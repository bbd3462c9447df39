import type { Texts } from '../src/store/texts.ts'
import { drawBrief } from './brief-texts.ts'
import { drawLogMessage } from './log-messages.ts'
import { drawTranscript } from './transcripts.ts'

/** The long texts of a dataset, each drawn from its row's own key when it is read. */
export function createTexts(seed: number): Texts {
  return {
    transcript: (meeting, data) => drawTranscript(meeting, data, seed),
    briefContent: (content, data) => drawBrief(content, data, seed),
    logMessage: (log, data) => drawLogMessage(log, data, seed),
  }
}
