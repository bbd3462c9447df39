import type * as z from 'zod'

import { parseInput } from '../contract/issues.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { VerdictOptions } from '../sync/sync-control.ts'
import { type ClientFunctions, FunctionClient } from './in-process.ts'
import { ScheduleInput } from './schedule.ts'
import { runSweep, type SweepChoice, type SweepResult } from './sweep.ts'
