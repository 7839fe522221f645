import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../lib/ui/icon.tsx';
import { droppedFiles } from './dropped-files.ts';
import { addUploads } from './add-uploads.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Accepts files that are dropped anywhere in the window, and says so while they are dragged over it. */
export function DropAnywhere() {
  const [isOver, setOver] = useState(false);
  const depth = useRef(0);
  useEffect(() => {
    void import('./queue.ts').then(({ restoreUploads }) => restoreUploads());
    const stopping = new AbortController();
    const on = { signal: stopping.signal };
    const move = (step: number) => (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current = Math.max(0, depth.current + step);
      setOver(depth.current > 0);
    };
    addEventListener('dragenter', move(1), on);
    addEventListener('dragleave', move(-1), on);
    addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), on);
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event) || !event.dataTransfer) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        void droppedFiles(event.dataTransfer).then(addUploads);
      },
      on,
    );
    return () => stopping.abort();
  }, []);
  if (!isOver) return null;
  return (
    <div class="drop-over" role="status">
      <Icon name="upload" />
      <p>Drop recordings to add them</p>
    </div>
  );
}
