import { isOver } from './api';
import type { Rehearsal, RehearsalDetail } from './types';

/** Folds how far a rehearsal is into what is cached of it; what is over stays over. */
export function foldProgress(known: RehearsalDetail, now: Rehearsal): RehearsalDetail {
  if (known.rehearsal.id !== now.id || isOver(known.rehearsal)) return known;
  const done = Math.max(known.rehearsal.ticketsDone, now.ticketsDone);
  return { ...known, rehearsal: isOver(now) ? now : { ...now, ticketsDone: done } };
}
