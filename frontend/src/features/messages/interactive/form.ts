/** The form of an interactive message, with the limits that the server also checks. */

import type { MenuKind } from '../parse';
import type { MenuInput, Product } from '../types';

export const LIMITS = {
  header: 60,
  body: 1024,
  listBody: 4096,
  footer: 60,
  button: 20,
  buttons: 3,
  title: 24,
  description: 72,
  rows: 10,
  sections: 10,
  products: 30,
  url: 2000,
} as const;

export interface FormRow {
  title: string;
  description: string;
}

export interface FormSection {
  title: string;
  rows: FormRow[];
}

export interface ProductSection {
  title: string;
  products: Product[];
}

/** All kinds share the form: what was typed stays when another kind is chosen. */
export interface MenuForm {
  header: string;
  body: string;
  footer: string;
  buttons: string[];
  /** The button that opens the list. */
  listButton: string;
  sections: FormSection[];
  linkButton: string;
  url: string;
  /** The product of a product message, and the picture of a catalogue. */
  product: Product | null;
  productSections: ProductSection[];
}

export const newRow = (): FormRow => ({ title: '', description: '' });
export const newSection = (): FormSection => ({ title: '', rows: [newRow()] });

export const emptyForm = (listButton: string): MenuForm => ({
  header: '',
  body: '',
  footer: '',
  buttons: ['', ''],
  listButton,
  sections: [newSection()],
  linkButton: '',
  url: '',
  product: null,
  productSections: [{ title: '', products: [] }],
});

export const OF_PRODUCTS: readonly MenuKind[] = ['product', 'product_list', 'catalog'];
const WITH_HEADER: readonly MenuKind[] = ['buttons', 'list', 'link', 'product_list'];
const WITHOUT_FOOTER: readonly MenuKind[] = ['location_request', 'contact_request'];

export const hasHeader = (kind: MenuKind) => WITH_HEADER.includes(kind);
export const hasFooter = (kind: MenuKind) => !WITHOUT_FOOTER.includes(kind);
export const needsHeader = (kind: MenuKind) => kind === 'product_list';
export const needsBody = (kind: MenuKind) => kind !== 'product';
export const bodyLimit = (kind: MenuKind) => (kind === 'list' ? LIMITS.listBody : LIMITS.body);

/** A fault: a key of the texts under `faults`, with its limit. */
export interface Fault {
  key: 'required' | 'long' | 'same' | 'url' | 'options' | 'products' | 'sectionTitle' | 'product';
  limit?: number;
}

export type Faults = Readonly<Record<string, Fault>>;

const isAddress = (url: string) => /^https?:\/\/[^\s/]+/.test(url) && !/\s/.test(url);

/** What Meta would refuse, by the names of the fields. */
export function faultsOf(kind: MenuKind, form: MenuForm): Faults {
  const faults: Record<string, Fault> = {};
  const check = (name: string, text: string, limit: number, required = true) => {
    if (required && !text.trim()) faults[name] = { key: 'required' };
    else if (text.trim().length > limit) faults[name] = { key: 'long', limit };
  };
  const seen = new Set<string>();
  const checkTitle = (name: string, title: string, limit: number) => {
    check(name, title, limit);
    const known = title.trim().toLowerCase();
    if (known && seen.has(known)) faults[name] ??= { key: 'same' };
    seen.add(known);
  };
  const checkSections = (titles: string[]) => {
    if (titles.length < 2) return;
    const own = new Set<string>();
    titles.forEach((title, at) => {
      const known = title.trim().toLowerCase();
      if (!known) faults[`sections.${at}.title`] = { key: 'sectionTitle' };
      else if (own.has(known)) faults[`sections.${at}.title`] = { key: 'same' };
      own.add(known);
    });
  };
  if (hasHeader(kind)) check('header', form.header, LIMITS.header, needsHeader(kind));
  check('body', form.body, bodyLimit(kind), needsBody(kind));
  if (hasFooter(kind)) check('footer', form.footer, LIMITS.footer, false);
  switch (kind) {
    case 'buttons':
      form.buttons.forEach((title, at) => checkTitle(`buttons.${at}`, title, LIMITS.button));
      break;
    case 'list':
      check('button', form.listButton, LIMITS.button);
      checkSections(form.sections.map(({ title }) => title));
      form.sections.forEach(({ rows }, at) =>
        rows.forEach(({ title }, place) =>
          checkTitle(`sections.${at}.rows.${place}`, title, LIMITS.title),
        ),
      );
      break;
    case 'link':
      check('button', form.linkButton, LIMITS.button);
      if (!isAddress(form.url.trim())) faults.url = { key: 'url' };
      else check('url', form.url, LIMITS.url);
      break;
    case 'product':
      if (!form.product) faults.product = { key: 'product' };
      break;
    case 'product_list':
      checkSections(form.productSections.map(({ title }) => title));
      form.productSections.forEach(({ products }, at) => {
        if (products.length === 0) faults[`sections.${at}.products`] = { key: 'product' };
      });
  }
  return faults;
}

/** A section's title on the wire; a single section may lack it. */
const titled = (title: string) => (title.trim() ? { title: title.trim() } : {});

/** The message as it is sent. */
export function inputOf(kind: MenuKind, form: MenuForm): MenuInput {
  const header = form.header.trim() ? { header: form.header.trim() } : {};
  const footer = form.footer.trim() ? { footer: form.footer.trim() } : {};
  const body = form.body.trim();
  switch (kind) {
    case 'buttons':
      return {
        kind,
        ...header,
        body,
        ...footer,
        buttons: form.buttons.map((title) => ({ title: title.trim() })),
      };
    case 'list':
      return {
        kind,
        ...header,
        body,
        ...footer,
        button: form.listButton.trim(),
        sections: form.sections.map(({ title, rows }) => ({
          ...titled(title),
          rows: rows.map((row) => ({
            title: row.title.trim(),
            ...(row.description.trim() && { description: row.description.trim() }),
          })),
        })),
      };
    case 'link':
      return {
        kind,
        ...header,
        body,
        ...footer,
        button: form.linkButton.trim(),
        url: form.url.trim(),
      };
    case 'location_request':
    case 'contact_request':
      return { kind, body };
    case 'product':
      return { kind, ...(body && { body }), ...footer, productId: form.product?.id ?? '' };
    case 'product_list':
      return {
        kind,
        header: form.header.trim(),
        body,
        ...footer,
        sections: form.productSections.map(({ title, products }) => ({
          ...titled(title),
          productIds: products.map(({ id }) => id),
        })),
      };
    case 'catalog':
      return { kind, body, ...footer, ...(form.product && { productId: form.product.id }) };
  }
}

const choiceOf = ({ name, price }: Product, section = '') => ({
  title: name,
  description: price,
  section,
});

/** The message as the server will store it for the conversation; empty titles are left out. */
export function shownOf(kind: MenuKind, form: MenuForm) {
  const choices = {
    buttons: form.buttons.map((title) => ({ title, description: '', section: '' })),
    list: form.sections.flatMap(({ title: section, rows }) =>
      rows.map((row) => ({ ...row, section })),
    ),
    product: form.product ? [choiceOf(form.product)] : [],
    product_list: form.productSections.flatMap(({ title, products }) =>
      products.map((product) => choiceOf(product, title)),
    ),
    catalog: form.product ? [choiceOf(form.product)] : [],
    link: [],
    location_request: [],
    contact_request: [],
  }[kind];
  return {
    kind,
    header: hasHeader(kind) ? form.header.trim() : '',
    body: form.body.trim(),
    footer: hasFooter(kind) ? form.footer.trim() : '',
    button: kind === 'list' ? form.listButton : kind === 'link' ? form.linkButton : '',
    url: kind === 'link' ? form.url.trim() : '',
    choices: choices.filter(({ title }) => title.trim()),
  };
}

/** A message that waits for the server: what is sent, and what is shown of it meanwhile. */
export interface OutgoingMenu {
  input: MenuInput;
  shown: ReturnType<typeof shownOf>;
  /** What the row of the conversation shows. */
  text: string;
}

export function outgoingOf(kind: MenuKind, form: MenuForm): OutgoingMenu {
  const shown = shownOf(kind, form);
  const [first] = shown.choices;
  return { input: inputOf(kind, form), shown, text: shown.body || (first?.title ?? '') };
}
