// Tool calls that outlive their request (extension io.modelcontextprotocol/tasks, revision 2026-07-28): a client that says it
// knows tasks gets a handle at once, asks for the state with `tasks/get` until the answer is in it, and may cancel. Each is
// a job of its caller, who alone gets the answer; a key that may do everything sees that it runs and may cancel it.

import { ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';
import { VaiError } from '../../domain/errors.ts';
import type { Call, Principal, Progress } from '../../engine/call.ts';
import { visible } from '../../tools/shared/visible.ts';
import { ANSWER_KEPT_MS, isOpen, type Job, type Jobs } from '../jobs.ts';
import { invalidParams } from './failure.ts';

/** As often as the state on disk changes. */
const POLL_MS = 1_000;
const INTERRUPTED =
  'Interrupted: the server stopped before the work was done. Call the tool again; what was finished is not done twice.';

/** What a task is on the wire. */
export interface Task {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  [more: string]: unknown;
}

/** The tasks of one caller. */
export interface Tasks {
  /** The handle of work that has begun; nothing where it cannot be kept, so that the call is answered as any other. */
  start(tool: string, run: (call: Call) => Promise<CallToolResult>): Task | undefined;
  get(taskId: string): Task;
  /** Answers to questions: no tool of ours asks any, and what was not asked is ignored. */
  update(taskId: string, responses: Record<string, unknown>): void;
  cancel(taskId: string): void;
}

export function tasksOf(jobs: Jobs, principal: Principal): Tasks {
  const own = (taskId: string): Job => {
    const job = jobs.task(principal, taskId);
    if (!job) throw noSuchTask();
    return job;
  };
  const answerOf = (job: Job): object => {
    const answer = jobs.answer(job);
    if (!answer) throw noSuchTask();
    // As the answer to the call itself would say.
    return { resultType: 'complete', ...answer };
  };
  return {
    start(tool, run) {
      if (!jobs.hasRoom(principal)) return undefined;
      const whole = async (call: Call): Promise<CallToolResult> => settled(call, await run(call));
      try {
        return described(jobs.start({ action: tool, principal, task: true, run: whole }));
      } catch (thrown) {
        if (thrown instanceof VaiError) throw thrown;
        // A home that cannot be written is no reason not to answer.
        return undefined;
      }
    },
    get(taskId) {
      const job = own(taskId);
      const task = described(job);
      switch (task.status) {
        case 'completed':
          return { ...task, result: answerOf(job) };
        case 'failed':
          return { ...task, error: { code: ProtocolErrorCode.InternalError, message: task.statusMessage } };
        default:
          return task;
      }
    },
    update: (taskId) => void own(taskId),
    cancel(taskId) {
      if (isOpen(own(taskId))) jobs.cancel(principal, taskId);
    },
  };
}

function noSuchTask(): Error {
  return invalidParams('There is no such task. Answers are kept for a day.');
}

/** A tool answers a call that was stopped with an error of its own; the task was cancelled then. */
function settled({ signal }: Call, result: CallToolResult): CallToolResult {
  if (result.isError && signal?.aborted) throw new VaiError('CANCELLED', 'The task was cancelled.');
  return result;
}

function described(job: Job): Task {
  const message = messageOf(job);
  const { id, startedAt, updatedAt } = job;
  return {
    taskId: id,
    status: statusOf(job),
    ...(message ? { statusMessage: message } : {}),
    createdAt: startedAt,
    lastUpdatedAt: updatedAt,
    // Counted from the beginning on the wire, kept from the last sign of life here.
    ttlMs: Date.parse(updatedAt) - Date.parse(startedAt) + ANSWER_KEPT_MS,
    pollIntervalMs: POLL_MS,
  };
}

function statusOf({ state }: Job): Task['status'] {
  switch (state) {
    case 'waiting':
    case 'running':
      return 'working';
    case 'done':
      return 'completed';
    case 'cancelled':
      return 'cancelled';
    case 'failed':
    case 'interrupted':
      return 'failed';
  }
}

function messageOf({ state, progress, error }: Job): string | undefined {
  if (state === 'interrupted') return INTERRUPTED;
  if (error) return error.hint ? `${error.message} ${error.hint}` : error.message;
  return progress && progressText(progress);
}

function progressText({ done, total, message }: Progress): string {
  const count = total === undefined ? `${done} done` : `${done} of ${total}`;
  return message ? `${count}: ${visible(message.slice(0, 500))}` : count;
}
