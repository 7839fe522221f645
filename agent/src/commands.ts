import type { AgentConfig, SystemEvent } from './config.ts';
import type { Entry, Journal } from './journal.ts';
import { type CarryOut, type Commands, EventFailure, leftToNextProcess } from './work.ts';

export interface CommandParts {
  readonly config: AgentConfig;
  readonly journal: Journal;
  /** Undefined if this agent records nothing itself. */
  readonly setRecording: ((isOn: boolean) => Promise<void>) | undefined;
  readonly upload: (entry: Entry, signal: AbortSignal, onProgress: (bytes: number) => void) => Promise<void>;
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
    Transfer: { Upload_audio_clips: uploadClips(parts) },
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

const restartDelayMs = 2_000;

/** The result is reported first. */
function later(act: () => void, result: string): string {
  setTimeout(act, restartDelayMs);
  return result;
}

function uploadClips({ journal, upload }: CommandParts): CarryOut {
  return async ({ parameters, signal, progress }) => {
    const wanted = Array.isArray(parameters['audioClips']) ? parameters['audioClips'].map(Number) : [];
    const known = new Map([...journal.entries.values()].map((entry) => [entry.clipID, entry]));
    const entries = wanted.flatMap((clipID) => known.get(clipID) ?? []);
    const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    const failures = wanted
      .filter((clipID) => !known.has(clipID))
      .map((clipID) => `clip ${clipID} is not on this device`);
    let done = 0;
    for (const entry of entries) {
      signal.throwIfAborted();
      try {
        await upload(entry, signal, (bytes) => progress((100 * (done + bytes)) / Math.max(1, total)));
      } catch (error) {
        signal.throwIfAborted();
        failures.push(`clip ${entry.clipID}: ${(error as Error).message}`);
      }
      done += entry.bytes;
    }
    if (failures.length > 0)
      throw new EventFailure(
        `${wanted.length - failures.length} of ${wanted.length} uploaded; ${failures.slice(0, 20).join('; ')}`,
      );
    return `${wanted.length} uploaded.`;
  };
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
