import { useRef } from 'preact/hooks';
import { Icon } from '../../lib/ui/icon.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { isTouchScreen } from '../../lib/ui/touch-screen.ts';
import { chosenFiles } from './dropped-files.ts';
import { addUploads } from './add-uploads.ts';

/** Two inputs: a browser lets people choose either files or a folder. */
export function FilePicker() {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    void addUploads(chosenFiles(input.files));
    // So that the same files can be chosen again.
    input.value = '';
  };
  return (
    <div class="drop-card">
      <Icon name="upload" />
      <p>
        <strong>{isTouchScreen() ? 'Choose recordings' : 'Drop recordings here'}</strong>
        <span class="hint">WAV, MP3, M4A, FLAC, Ogg or WebM, up to 24 hours each</span>
      </p>
      <div class="drop-buttons">
        <Button kind="primary" onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button onClick={() => folder.current?.click()}>Choose a folder</Button>
      </div>
      <input
        ref={files}
        hidden
        type="file"
        multiple
        accept="audio/*,.wav,.mp3,.m4a,.flac,.ogg,.opus,.webm,.aac"
        aria-label="Files"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <input
        ref={folder}
        hidden
        type="file"
        {...{ webkitdirectory: true }}
        aria-label="Folder"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
    </div>
  );
}
