import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { LabelEngine, Labels, Listening, Sound } from '../../../platform/listening/engine.ts';
import type { MeasuredSound } from '../../../platform/media/measure/measured-sound.ts';
import type { LabelBounds } from '../order/orders.ts';
import { lockCaption } from '../version-queries.ts';
import { noteLabelling, removeLabelOrder } from './label-queries.ts';
import { replaceLabels } from '../../audio-clip/public.ts';
import { storeFacts } from '../../clip-facts/public.ts';

/*
 * Labels follow the caption, so that words do not wait for them. The transaction that writes the caption orders the labels,
 * and the one that writes the tags ends that order: an event that is repeated after a crash between the two only labels.
 */

/** Decodes from a moment; from the beginning, the sound is measured if asked. */
export type OpenSound = (fromMs?: number, onMeasured?: (measured: MeasuredSound) => void) => Sound;

interface LabelTask {
  readonly clipID: number;
  readonly eventID: number;
  readonly fileID: number;
  readonly bounds: LabelBounds;
  /** Undefined if this node has none: then the order ends without labels. */
  readonly engine: LabelEngine | undefined;
}

/** Labels and measures the sound and writes tags and facts, unless the clip has another file by now, whose own event labels it. */
export async function labelClip(
  db: Pool,
  { clipID, eventID, fileID, bounds, engine }: LabelTask,
  open: OpenSound,
  listening: Listening,
): Promise<void> {
  let measured: MeasuredSound | undefined;
  const labels = await engine?.label(
    open(0, (facts) => (measured = facts)),
    listening,
  );
  await inTransaction(db, async (tx) => {
    const clip = await lockCaption(tx, clipID);
    await removeLabelOrder(tx, clipID, eventID);
    if (!labels || clip?.fileID !== fileID) return;
    await replaceLabels(tx, clipID, labels.engine.name, strongest(labels, bounds));
    await noteLabelling(tx, clipID, fileID);
    if (measured) await storeFacts(tx, clipID, fileID, { ...measured, speechMs: labels.speechMs });
  });
}

const strongest = ({ labels }: Labels, { maxLabels, minConfidence }: LabelBounds) =>
  labels
    .filter(({ confidence }) => confidence >= minConfidence)
    .toSorted((a, b) => b.confidence - a.confidence || a.startMs - b.startMs)
    .slice(0, maxLabels);
