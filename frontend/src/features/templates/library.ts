/** A template of Meta's library: its filters, its preview, and what a company fills in. */

import type { ShownTemplate } from '@/lib/templates/shown';
import type { LibraryChoice, LibraryTemplate } from './types';

/** Meta's words of the filters (developers.facebook.com/docs/whatsapp/template-library). */
export const TOPICS = ['ACCOUNT_UPDATE', 'CUSTOMER_FEEDBACK', 'ORDER_MANAGEMENT', 'PAYMENTS'];
export const INDUSTRIES = ['E_COMMERCE', 'FINANCIAL_SERVICES'];
export const USECASES = [
  'ACCOUNT_CREATION_CONFIRMATION',
  'AUTO_PAY_REMINDER',
  'DELIVERY_CONFIRMATION',
  'DELIVERY_FAILED',
  'DELIVERY_UPDATE',
  'FEEDBACK_SURVEY',
  'FRAUD_ALERT',
  'LOW_BALANCE_WARNING',
  'ORDER_ACTION_NEEDED',
  'ORDER_CONFIRMATION',
  'ORDER_DELAY',
  'ORDER_OR_TRANSACTION_CANCEL',
  'ORDER_PICK_UP',
  'PAYMENT_ACTION_REQUIRED',
  'PAYMENT_CONFIRMATION',
  'PAYMENT_DUE_REMINDER',
  'PAYMENT_OVERDUE',
  'PAYMENT_REJECT_FAIL',
  'PAYMENT_SCHEDULED',
  'RECEIPT_ATTACHMENT',
  'RETURN_CONFIRMATION',
  'SHIPMENT_CONFIRMATION',
  'STATEMENT_ATTACHMENT',
  'STATEMENT_AVAILABLE',
  'TRANSACTION_ALERT',
];
export const LIBRARY_LANGUAGES = ['pt_BR', 'en_US', 'es', 'es_AR', 'es_MX'];

export interface LibraryForm {
  name: string;
  /** By the place of the button. */
  buttons: readonly { url: string; phone: string; example: string }[];
  sentences: readonly string[];
}

export const emptyChoice = (template: LibraryTemplate): LibraryForm => ({
  name: template.name,
  buttons: template.buttons.map(() => ({ url: '', phone: '', example: '' })),
  sentences: [],
});

export const choiceOf = (template: LibraryTemplate, form: LibraryForm): LibraryChoice => ({
  libraryName: template.name,
  language: template.language,
  name: form.name.trim(),
  buttons: form.buttons.map((each) => ({ ...each })),
  sentences: form.sentences as LibraryChoice['sentences'] & object,
});

const KINDS: Readonly<Record<string, ShownTemplate['buttons'][number]['kind']>> = {
  URL: 'link',
  PHONE_NUMBER: 'phone',
  FLOW: 'form',
};

/** The template as a phone shows it, with Meta's samples. */
export function shownLibrary(template: LibraryTemplate): ShownTemplate {
  const { header, body, samples, buttons } = template;
  return {
    header: header ? { kind: 'text', text: header } : null,
    body: body.replace(
      /\{\{\s*(\d+)\s*\}\}/g,
      (whole, place: string) => samples[Number(place) - 1] ?? whole,
    ),
    footer: '',
    buttons: buttons.map(({ type, text }) => ({
      kind: KINDS[type] ?? 'reply',
      text,
      href: undefined,
    })),
  };
}

/** Whether a link has a variable, which needs an example. */
export const hasVariable = (url: string) => url.includes('{{1}}');
