export interface SpokenCaption {
  readonly clipID: number;
  readonly transcript: string;
}
