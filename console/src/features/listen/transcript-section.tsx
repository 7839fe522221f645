import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Caption } from '@earshot/contract/caption';
import { correctCaption } from '@earshot/contract/caption';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { LeaveDialog } from '../../lib/leave-dialog.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Badge, Section } from '../../lib/ui/elements.tsx';
import { may } from '../right/public.ts';
import { LanguageQuestion } from '../spoken-language/public.tsx';
import { CorrectableTranscript } from './correctable-transcript.tsx';
import type { CorrectionDraft } from './correction.ts';
import { useCaption } from './data.ts';
import { DraftOffer } from './draft-offer.tsx';
import type { TextDraft } from './edit.tsx';
import { EditTranscript } from './edit.tsx';
import { writeTranscript } from './edits.ts';
import { Transcribing } from './transcribing.tsx';
import { EmptyTranscript, NotTranscribed } from './not-transcribed.tsx';
import { useCorrection, useTextDraft } from './use-drafts.ts';
import { VersionsDialog } from './versions-dialog.tsx';
import type { Line } from './words.ts';
import { doubtedLanguages, languageMark, linesOf, timesMark } from './words.ts';

interface TranscriptSectionProps {
  readonly clip: AudioClip;
  readonly deviceSerial: string | undefined;
  /** The position in the address. */
  readonly atMs: number | undefined;
}

/** The transcript of the clip, its editor, or the reason why there is none yet. */
export function TranscriptSection({ clip, deviceSerial, atMs }: TranscriptSectionProps) {
  const clipID = clip.key ?? 0;
  const caption = useCaption(clip);
  const [shows, setShows] = useState<'words' | 'find' | 'versions'>('words');
  const [text, setText] = useState<TextDraft | undefined>();
  const [isTextDirty, setTextDirty] = useState(false);
  const { data } = caption;
  // Words so far are no version that could be corrected.
  const isRunning = data?.heardUntilMs !== undefined;
  const mayEdit = may(correctCaption, { deviceID: clip.deviceID }) && !isRunning;
  const lines = useFollowedLines(data);
  const [correction, wordsDraft] = useCorrection(clipID);
  const textDraft = useTextDraft(clipID);
  useLayoutEffect(() => {
    if (data && !isRunning) correction.follow(data, lines);
  }, [data]);

  const resume = () => {
    const draft = wordsDraft.take();
    if (draft) correction.resume(draft);
  };
  /** Opens the text editor: with a draft, or with the words as they were corrected. */
  const edit = () => {
    if (!textDraft.offered) resume();
    const edits = correction.edits.peek();
    const written = writeTranscript(data?.transcript ?? '', lines, edits);
    setTextDirty(edits.size > 0 || textDraft.offered !== undefined);
    setText(textDraft.take() ?? { version: data?.version ?? 0, text: written });
    if (edits.size > 0 && !textDraft.offered) correction.discard();
  };
  const keepText = (draft: TextDraft | undefined) => {
    textDraft.keep(draft);
    setTextDirty(draft !== undefined);
  };
  const isUnsaved = text ? isTextDirty : correction.edits.value.size > 0;
  return (
    <Section
      title="Transcript"
      action={
        data &&
        !isRunning && (
          <TranscriptActions
            caption={data}
            mayEdit={mayEdit && !text}
            onFind={text || lines.length === 0 ? undefined : () => setShows(shows === 'find' ? 'words' : 'find')}
            onVersions={() => setShows('versions')}
            onEdit={edit}
          />
        )
      }
    >
      <WhenLoaded from={caption} rows={4}>
        {(found) => {
          if (text) {
            return (
              <EditTranscript
                clipID={clipID}
                caption={found}
                begin={text}
                onDraft={keepText}
                onClose={() => setText(undefined)}
                onReopen={setText}
              />
            );
          }
          const onWrite = mayEdit ? edit : undefined;
          const offers = mayEdit && <Offers words={wordsDraft} text={textDraft} onWords={resume} onText={edit} />;
          return (
            <>
              {lines.length === 0 && offers}
              {found && mayEdit && <AskLanguages clip={clip} caption={found} />}
              {found?.heardUntilMs !== undefined && <Transcribing clip={clip} heardUntilMs={found.heardUntilMs} />}
              {!found ? (
                <NotTranscribed clip={clip} deviceSerial={deviceSerial} onWrite={onWrite} />
              ) : lines.length === 0 && isRunning ? null : lines.length === 0 ? (
                <EmptyTranscript caption={found} onWrite={onWrite} />
              ) : (
                <CorrectableTranscript
                  caption={found}
                  lines={lines}
                  correction={correction}
                  mayEdit={mayEdit}
                  finds={shows === 'find'}
                  onFind={(finds) => setShows(finds ? 'find' : 'words')}
                  onChange={resume}
                  atMs={atMs}
                  offers={offers}
                />
              )}
            </>
          );
        }}
      </WhenLoaded>
      {shows === 'versions' && <VersionsDialog clipID={clipID} mayEdit={mayEdit} onClose={() => setShows('words')} />}
      <LeaveDialog isUnsaved={isUnsaved}>
        Your correction is not saved. It is kept as a draft in this browser, and offered when you open the clip again.
      </LeaveDialog>
    </Section>
  );
}

/** Asks a newcomer which languages are spoken, if that of this recording was in doubt. */
function AskLanguages({ clip, caption }: { readonly clip: AudioClip; readonly caption: Caption }) {
  const candidates = doubtedLanguages(caption);
  if (candidates.length === 0) return null;
  const captionID = clip.key ?? 0;
  const confirm = async (languages: readonly string[]) => {
    const isWritten = caption.segments.some(({ unconfirmed }) => unconfirmed?.language === languages[0]);
    if (languages.length > 1 || !isWritten) return;
    await api.confirmCaption({ params: { captionID }, body: { version: caption.version ?? 0 } });
    refresh([`caption ${captionID}`]);
  };
  return <LanguageQuestion deviceID={clip.deviceID ?? 0} candidates={candidates} onAnswer={confirm} />;
}

const noLines: readonly Line[] = [];

function useFollowedLines(caption: Caption | null | undefined): readonly Line[] {
  return useMemo(() => (caption ? linesOf(caption) : noLines), [caption]);
}

interface OffersProps {
  readonly words: ReturnType<typeof useCorrection>[1];
  readonly text: ReturnType<typeof useTextDraft>;
  readonly onWords: () => void;
  readonly onText: () => void;
}

/** The drafts of an earlier visit. */
function Offers({ words, text, onWords, onText }: OffersProps) {
  return (
    <>
      {words.offered && (
        <DraftOffer savedAt={words.offered.savedAt} onContinue={onWords} onDiscard={words.discard}>
          {countText(countEdits(words.offered.value), 'changed word')}.
        </DraftOffer>
      )}
      {text.offered && (
        <DraftOffer savedAt={text.offered.savedAt} onContinue={onText} onDiscard={text.discard}>
          an edited transcript.
        </DraftOffer>
      )}
    </>
  );
}

const countEdits = ({ edits, unplaced }: CorrectionDraft): number => edits.length + unplaced.length;

interface TranscriptActionsProps {
  readonly caption: Caption;
  readonly mayEdit: boolean;
  readonly onFind: (() => void) | undefined;
  readonly onVersions: () => void;
  readonly onEdit: () => void;
}

function TranscriptActions({ caption, mayEdit, onFind, onVersions, onEdit }: TranscriptActionsProps) {
  const isEmpty = caption.segments.length === 0;
  const mark = languageMark(caption);
  const times = timesMark(caption);
  return (
    <span class="transcript-actions">
      {mark !== undefined && !isEmpty && (
        <Badge tone={caption.isLanguageKnown === false ? 'warn' : 'idle'}>{mark}</Badge>
      )}
      {times !== undefined && !isEmpty && <Badge tone="idle">{times}</Badge>}
      {caption.correctedBy !== undefined && <Badge tone="good">Edited</Badge>}
      {onFind && <Button small kind="quiet" icon="search" label="Find in this transcript" onClick={onFind} />}
      <Button small kind="quiet" icon="history" label="Versions" onClick={onVersions} />
      {mayEdit && (
        <Button small icon="edit" label="Edit transcript" onClick={onEdit}>
          Edit
        </Button>
      )}
    </span>
  );
}
