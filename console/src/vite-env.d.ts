/** Set by Vite: true on the development server, false in the build, where code behind it is left out. */
interface ImportMeta {
  readonly env: { readonly DEV: boolean };
}
