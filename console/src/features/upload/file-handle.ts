/** Newer than the types of the DOM library. */
interface AskableHandle extends FileSystemFileHandle {
  queryPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>;
  requestPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>;
}

/** The file, if the browser may read it; undefined if it may not, or if it was moved or removed. */
export async function openHandle(handle: FileSystemFileHandle, how: 'query' | 'request'): Promise<File | undefined> {
  const askable: AskableHandle = handle;
  const mode = { mode: 'read' } as const;
  try {
    const state = await (how === 'query' ? askable.queryPermission?.(mode) : askable.requestPermission?.(mode));
    return state === 'granted' ? await handle.getFile() : undefined;
  } catch {
    return undefined;
  }
}
