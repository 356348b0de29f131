import { createToaster } from '@chakra-ui/react';
import { i18n } from '@/i18n';
import { ApiError, isOverdue } from '@/lib/api/errors';
import { isToldBetter, reasonWords } from '@/lib/useReason';

const TOAST_MS = 2000;
const CAMPAIGN_TOAST_MS = 3000;
const UNDO_MS = 8000;
const ADVICE_MS = 10_000;

/** Distances from the top and the end of the screen; lib/toastPlace.ts sets both. */
export const TOASTS_TOP = '--toasts-top';
export const TOASTS_END = '--toasts-end';
const OFFSET = '16px';

export const toaster = createToaster({
  placement: 'top-end',
  duration: TOAST_MS,
  gap: 12,
  offsets: {
    left: OFFSET,
    right: `var(${TOASTS_END}, ${OFFSET})`,
    bottom: OFFSET,
    top: `var(${TOASTS_TOP}, ${OFFSET})`,
  },
});

/** A day inside a sentence, DD/MM/YYYY. */
const DAY = /\d{2}\/\d{2}\/\d{4}/;

/** A short waiting time, the same in every language. */
const waitText = (seconds: number) =>
  seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;

/** The text of a failure: the translation of its reason or code, else the server's sentence. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return i18n.t('errors:unexpected');
  const reason = reasonWords(error);
  if (reason) return reason;
  if (isToldBetter(error) && error.message) return error.message;
  if (i18n.exists(`errors:${error.code}`)) {
    const date = DAY.exec(error.message)?.[0];
    // The translated sentence names the due date; without a date the server's sentence is better.
    if (error.code === 'ERR_COMPANY_EXPIRED' && !date) return error.message;
    const seconds = error.body.retryAfter;
    if (error.code === 'ERR_TOO_MANY_REQUESTS' && typeof seconds !== 'number') return error.message;
    const wait = typeof seconds === 'number' ? waitText(seconds) : '';
    return i18n.t(`errors:${error.code}`, { date, wait });
  }
  return error.message || i18n.t('errors:unexpected');
}

/** The reason why an overdue company's users cannot sign in, for a user who cannot pay. */
export const overdueWords = (error: ApiError) =>
  `${errorMessage(error)} ${i18n.t('errors:overdueAsk')}`;

let shownMs = TOAST_MS;

/** Keeps notices longer, for the campaign pages; returns a function that ends it. */
export function keepToastsLonger(): () => void {
  shownMs = CAMPAIGN_TOAST_MS;
  return () => {
    shownMs = TOAST_MS;
  };
}

const show = (type: 'success' | 'error' | 'warning' | 'info') => (title: string) => {
  toaster.create({ type, title, duration: shownMs });
};

/** Short notices, shown for two seconds, on the campaign pages for three. */
export const toast = {
  success: show('success'),
  warning: show('warning'),
  info: show('info'),
  /** Shows a failure; takes any caught value. */
  error: (error: unknown) => {
    // If the company is overdue every call fails; the page for that case says so once.
    if (!isOverdue(error)) show('error')(errorMessage(error));
  },
  errorText: show('error'),
  /** Shows what remains to be done, long enough to read it. */
  advice: (title: string) => {
    toaster.create({ type: 'warning', title, duration: ADVICE_MS });
  },
  /** Shows what came with what the user did, long enough to read it. */
  note: (title: string) => {
    toaster.create({ type: 'info', title, duration: ADVICE_MS });
  },
  /** Shows what somebody else did with a button that leads there, long enough to read it. */
  news: (title: string, label: string, onOpen: () => void) => {
    toaster.create({
      type: 'info',
      title,
      duration: ADVICE_MS,
      action: { label, onClick: onOpen },
    });
  },
  /** Shows what was done with a button to undo it, long enough to press it. */
  undo: (title: string, label: string, onUndo: () => void, duration = UNDO_MS) => {
    toaster.create({
      type: 'success',
      title,
      duration,
      action: { label, onClick: onUndo },
    });
  },
};
