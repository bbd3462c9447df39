import type { Texts } from '../../src/store/texts.ts'
import { generateLogMessage } from '../automations/log-messages.ts'
import { generateTranscript } from '../meetings/transcripts.ts'
import { generateBrief } from '../notes-and-briefs/brief-texts.ts'

export function createTexts(seed: number): Texts {
  return {
    transcript: (meeting, data) => generateTranscript(meeting, data, seed),
    briefContent: (content, data) => generateBrief(content, data, seed),
    logMessage: (log, data) => generateLogMessage(log, data, seed),
  }
}
