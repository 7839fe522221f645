import type { AgentConfig, SystemEvent } from './config.ts';
import type { Journal } from './journal.ts';
import { uploadClips } from './upload-clips.ts';
import type { UploadQueue } from './upload-queue.ts';
import type { CarryOut, Commands } from './work.ts';
import { EventFailure, leftToNextProcess } from './work.ts';

export interface CommandParts {
  readonly config: AgentConfig;
  readonly journal: Journal;
  /** Undefined if this agent records nothing itself. */
  readonly setRecording: ((isOn: boolean) => Promise<void>) | undefined;
  readonly uploads: UploadQueue;
  /** Tries the recordings again that the platform refused, and returns their number. */
  readonly retryRecordings: () => number;
  readonly diagnose: () => Promise<object>;
  /** Ends this process; its launcher or service manager starts it again. */
  readonly restart: () => void;
  readonly join: CarryOut;
  readonly updateSetting: CarryOut;
  readonly update: CarryOut;
  readonly processID: number;
  readonly system: System;
}

/** The system that this agent runs on. */
export interface System {
  /** Differs after each start of the system. */
  readonly bootID: string;
  /** Throws if the system refuses. */
  readonly reboot: () => Promise<void>;
}

/** What this agent does for each type of event. */
export function createCommands(parts: CommandParts): Commands {
  const { setRecording, diagnose, restart } = parts;
  const allowed =
    (name: SystemEvent, carry: CarryOut): CarryOut =>
    (work) => {
      if (!parts.config.allow.includes(name))
        throw new EventFailure(
          `${name} is not allowed on this device: add it to "allow" in the configuration of its agent.`,
        );
      return carry(work);
    };
  return {
    ...(setRecording
      ? {
          Audio: {
            Start_recording: async () => setRecording(true).then(() => 'Recording.'),
            Stop_recording: async () => setRecording(false).then(() => 'Not recording.'),
          },
        }
      : {}),
    Transfer: {
      Upload_audio_clips: uploadClips(parts),
      Retry_recordings: async () => describeRetry(parts.retryRecordings()),
    },
    Transcoding: { Concatenate_audio_clips: parts.join },
    Device: {
      Report_diagnostics: async () => JSON.stringify(await diagnose()),
      Restart_agents: allowed('Restart_agents', async () => later(restart, 'The agent restarts.')),
      Update_setting: parts.updateSetting,
      End_process: allowed('End_process', endProcess(parts)),
      Update_software: allowed('Update_software', parts.update),
      Reboot: allowed('Reboot', reboot(parts)),
    },
  };
}

const describeRetry = (count: number): string =>
  count === 0
    ? 'No recordings are set aside.'
    : `${count} ${count === 1 ? 'recording is' : 'recordings are'} tried again.`;

const restartDelayMs = 2_000;

/** The result is reported first. */
function later(act: () => void, result: string): string {
  setTimeout(act, restartDelayMs);
  return result;
}

/** Only the process of this agent: the others of the device are not its own. */
function endProcess({ processID: own, restart }: CommandParts): CarryOut {
  return async ({ parameters: { processID = own } }) => {
    if (processID !== own)
      throw new EventFailure(`Process ${JSON.stringify(processID)} is not the process of this agent, which is ${own}.`);
    return later(restart, 'The agent ends its process, and is started again.');
  };
}

/** The process after the restart reports the end. */
function reboot({ journal, system }: CommandParts): CarryOut {
  return async ({ take }) => {
    await journal.setPending({ kind: 'reboot', ...take, bootID: system.bootID });
    try {
      await system.reboot();
    } catch (error) {
      await journal.endPending();
      throw error;
    }
    return leftToNextProcess;
  };
}
