/** A file, its path below what was dropped or chosen, and its handle where the browser has those. */
export interface FoundFile {
  readonly file: File;
  readonly path: string;
  readonly handle?: FileSystemFileHandle;
}

/** Newer than the types of the DOM library. */
interface HandleItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/** The files of a drop, with those in folders. The items are only readable during the event, so all begin at once. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<readonly FoundFile[]> {
  const found = await Promise.all([...items].filter(({ kind }) => kind === 'file').map(readItem));
  return found.length > 0 ? found.flat() : chosenFiles(files);
}

/** The files of an input. */
export const chosenFiles = (files: FileList | null): readonly FoundFile[] =>
  [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

async function readItem(item: DataTransferItem): Promise<readonly FoundFile[]> {
  const [file, entry] = [item.getAsFile(), item.webkitGetAsEntry()];
  const handle = await (item as HandleItem).getAsFileSystemHandle?.().catch(() => null);
  if (handle) return filesOfHandle(handle, '');
  if (entry) return filesOfEntry(entry);
  return file ? [{ file, path: file.name }] : [];
}

async function filesOfHandle(handle: FileSystemHandle, folder: string): Promise<readonly FoundFile[]> {
  const path = folder + handle.name;
  if (handle.kind === 'file') {
    const fileHandle = handle as FileSystemFileHandle;
    return [{ file: await fileHandle.getFile(), path, handle: fileHandle }];
  }
  const found: FoundFile[] = [];
  for await (const child of (handle as FileSystemDirectoryHandle).values()) {
    found.push(...(await filesOfHandle(child, `${path}/`)));
  }
  return found;
}

async function filesOfEntry(entry: FileSystemEntry): Promise<readonly FoundFile[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FoundFile[] = [];
  for (;;) {
    // The browser returns at most a hundred entries at once.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const child of entries) found.push(...(await filesOfEntry(child)));
  }
}
