import { createContext, useMemo } from 'react';
import { useOtherViewers, type Viewer } from './viewers';
import { useOtherWriters, type Writers } from './writers';

/** Who else has the conversation open, and who of them writes. */
export interface Others {
  viewers: readonly Viewer[];
  writers: Writers;
}

export const OthersContext = createContext<Others>({ viewers: [], writers: [] });

export function useOthers(ticketId: number): Others {
  const viewers = useOtherViewers(ticketId);
  const writers = useOtherWriters(ticketId, viewers);
  return useMemo(() => ({ viewers, writers }), [viewers, writers]);
}
