import { capture } from './capture.ts';
import type { ClipParts } from './clip-writer.ts';
import { recover } from './clip-writer.ts';
import type { Source } from './config.ts';
import type { WatchParts } from './folder.ts';
import { watchFolder } from './folder.ts';
import type { AgentLoop } from './loop.ts';
import { pause } from './loop.ts';
import type { RecordingSwitch } from './recording-switch.ts';
import { nameSource } from './status/agent-status.ts';

const recoverEveryMs = 60_000;

export interface SourceParts extends ClipParts, Pick<WatchParts, 'log' | 'isUploading'> {
  readonly recording: RecordingSwitch;
}

/** The loops that bring recordings into the journal: one for each source, and one for what a killed process left. */
export function recordSources(parts: SourceParts, sources: readonly Source[], signal: AbortSignal): AgentLoop[] {
  const captures = sources.filter(({ kind }) => kind === 'capture');
  return [
    ...sources.map((source): AgentLoop => {
      if (source.kind === 'capture') {
        const record = (stop: AbortSignal) => capture(parts, source, captures.indexOf(source), stop);
        return { name: `recording ${nameSource(source)}`, step: () => parts.recording.whileOn(signal, record) };
      }
      const look = watchFolder(parts, source);
      const step = async () => {
        await look(signal);
        await pause(Math.max(1, source.settleSeconds) * 1_000, signal);
      };
      return { name: `watching ${source.path}`, step };
    }),
    {
      name: 'completing recordings',
      async step() {
        await recover(parts);
        await pause(recoverEveryMs, signal);
      },
    },
  ];
}
