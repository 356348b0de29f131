/** What every unsent message has, of whichever feature. */
export interface Unsent {
  /** Fixed before the first attempt: the server stores a message with the same id once. */
  clientId: string;
  userId: number;
  file: File | null;
  /** A preview of the file, if the browser can show it. */
  previewUrl: string | null;
  createdAt: string;
  /** Orders the messages as they were written. */
  position: number;
  /** When the user last asked to send it, in milliseconds. */
  askedAt: number;
  /** 'stored': the live event came before the answer; the message is already shown. */
  state: 'queued' | 'sending' | 'stored' | 'failed';
  /** An attempt found no server: the message is sent by itself when there is one. */
  waits: boolean;
  /** A reload of the page finds it again. */
  isKept: boolean;
  /** The uploaded share of the file, 0 to 1. */
  progress: number;
  code: string;
  reason: string;
}
