import type { AudioClipTag } from '@earshot/contract/tag';
import { tagNameLength } from '@earshot/contract/tag';
import { useEffect, useId, useRef } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import { player } from '../../lib/player.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Section } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Hued } from '../../lib/ui/hued.tsx';
import { positionText } from '../../lib/ui/times.ts';
import { allTags } from '../audio-clip/public.ts';
import { showUndoToast } from './data.ts';

export type PlacedTag = AudioClipTag & { readonly atMs: number };

/** Tags with their position in the clip, without tags that are being deleted. */
export const placeTags = (tags: readonly AudioClipTag[], startMs: number): readonly PlacedTag[] =>
  tags
    .filter(({ key }) => !isDeferred(`clip tag ${key}`))
    .map((tag) => ({ ...tag, atMs: Math.max(0, (tag.timestamp ?? 0) * 1_000 + (tag.timestampMs ?? 0) - startMs) }));

interface TagsProps {
  readonly clipID: number;
  readonly startMs: number;
  readonly tags: readonly PlacedTag[];
  readonly mayEdit: boolean;
}

export function Tags({ clipID, startMs, tags, mayEdit }: TagsProps) {
  return (
    <Section title="Tags" {...(tags.length > 0 ? { count: tags.length } : {})}>
      <div class="tags">
        {tags.length > 0 ? (
          <ul class="chips">
            {tags.map((tag) => (
              <TagChip key={tag.key} clipID={clipID} tag={tag} mayEdit={mayEdit} />
            ))}
          </ul>
        ) : (
          <p class="quiet">{mayEdit ? 'No tags yet. Add one at the current position.' : 'No tags yet.'}</p>
        )}
        {mayEdit && <AddTag clipID={clipID} startMs={startMs} />}
      </div>
    </Section>
  );
}

interface TagChipProps {
  readonly clipID: number;
  readonly tag: PlacedTag;
  readonly mayEdit: boolean;
}

function TagChip({ clipID, tag, mayEdit }: TagChipProps) {
  const { key = 0, tagName = '', atMs, confidence } = tag;
  const remove = () =>
    deferAction(`clip tag ${key}`, `The tag “${tagName}” is removed.`, () =>
      api.deleteAudioClipTag({ params: { audioClipID: clipID, audioClipTagID: key } }),
    );
  const sure =
    confidence === undefined || confidence >= 100 ? 'added by a person' : `${Math.round(confidence)} % confidence`;
  return (
    <li class="chip">
      <button
        type="button"
        class="chip-main"
        title={`Go to ${positionText(atMs)} (${sure})`}
        onClick={() => player.seek(atMs)}
      >
        <Hued text={tagName} />
        <span class="chip-time">{positionText(atMs)}</span>
      </button>
      {mayEdit && (
        <button
          type="button"
          class="chip-end"
          aria-label={`Remove the tag ${tagName} at ${positionText(atMs)}`}
          onClick={remove}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}

function AddTag({ clipID, startMs }: { readonly clipID: number; readonly startMs: number }) {
  const { data: known = [] } = useQuery(allTags);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(
    () =>
      player.onFrame((ms) => {
        const text = `Add a tag at ${positionText(ms)}`;
        if (input.current && input.current.placeholder !== text) input.current.placeholder = text;
      }),
    [],
  );
  const add = async (event: Event) => {
    event.preventDefault();
    const tagName = input.current?.value.trim() ?? '';
    if (tagName === '') return input.current?.focus();
    const moment = startMs + player.ms;
    await attempt(async () => {
      const { key = 0 } = await api.createAudioClipTag({
        params: { audioClipID: clipID },
        body: { tagName, timestamp: Math.floor(moment / 1_000), timestampMs: moment % 1_000 },
      });
      if (input.current) input.current.value = '';
      refresh([`clip tags ${clipID}`, 'tags']);
      const params = { audioClipID: clipID, audioClipTagID: key };
      showUndoToast(`The tag “${tagName}” is added.`, () => api.deleteAudioClipTag({ params }));
    });
  };
  return (
    <form class="add-tag" onSubmit={(event) => void add(event)}>
      <input
        ref={input}
        class="input"
        aria-label="Tag at the current position"
        list={id}
        maxLength={tagNameLength}
        dir="auto"
        autoComplete="off"
      />
      <datalist id={id}>
        {known.map(({ key, tagName }) => (
          <option key={key} value={tagName} />
        ))}
      </datalist>
      <Button type="submit" small icon="add">
        Add
      </Button>
    </form>
  );
}
