import { createContext } from 'react';
import type { Viewer } from './viewers';
import type { Writers } from './writers';

/** Who else has the conversation open, and who of them writes. */
export interface Others {
  viewers: readonly Viewer[];
  writers: Writers;
}

export const OthersContext = createContext<Others>({ viewers: [], writers: [] });
