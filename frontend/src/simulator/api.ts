import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';

/** The simulator's own API; it is not part of the product's OpenAPI schema. */
const BASE = '/simulator/api';
const POLL_MS = 1000;

export interface SimNumber {
  id: string;
  phone: string;
  name: string;
  /** Whether it is a phone with linked devices, not a number of the official API. */
  isPhone: boolean;
}

/** A business portfolio, whose numbers share the limit of people to write to first; −1: none. */
export interface Portfolio {
  id: string;
  name: string;
  limit: number;
}

/** What Meta counts of a number's delivered messages of this month. */
export interface Bill {
  /** The messages that Meta charges, by category. */
  charged: Record<string, number>;
  free: number;
  /** So many service messages of a month are free. */
  allowance: number;
}

/** A QR session: linked to the phone `number`, or waiting with a code. */
export interface Device {
  session: number;
  number: string | null;
  code: string;
  shownAt: string | null;
  isOnline: boolean;
}

export interface Customer {
  waId: string;
  name: string;
  photo: string | null;
  hasWhatsapp: boolean;
  username: string;
  hidesNumber: boolean;
  unread: number;
  lastType: string | null;
  lastText: string;
  lastAt: string | null;
}

interface Choice {
  id: string;
  title: string;
  description?: string;
}

interface ProductItem {
  product_retailer_id: string;
}

export interface TemplateButton {
  type: string;
  text: string;
  payload?: string;
  url?: string;
  phone?: string;
  code?: string;
}

/** The bodies of Meta's message types; each field exists only for its types. */
/** A component of a form's screen. */
export interface FlowPart {
  type: string;
  name?: string;
  label?: string;
  text?: string;
  required?: boolean;
  'input-type'?: string;
  'helper-text'?: string;
  'max-chars'?: number;
  'max-length'?: number;
  children?: FlowPart[];
}

export interface MessageBody {
  body?: string | { text: string };
  caption?: string;
  filename?: string;
  edited?: boolean;
  /** Of a text that was sent without a template: `utility`. */
  category?: string;
  mime_type?: string;
  latitude?: number;
  longitude?: number;
  name?: string;
  address?: string;
  message_id?: string;
  emoji?: string;
  text?: string;
  /** For calls. */
  state?: 'ringing' | 'rejected' | 'ended';
  video?: boolean;
  header?: { text?: string };
  footer?: { text?: string };
  button_reply?: Choice;
  list_reply?: Choice;
  nfm_reply?: { response_json: string };
  action?: {
    button?: string;
    buttons?: { reply: Choice }[];
    sections?: { title?: string; rows?: Choice[]; product_items?: ProductItem[] }[];
    name?: string;
    parameters?: {
      flow_cta?: string;
      display_text?: string;
      url?: string;
      thumbnail_product_retailer_id?: string;
    };
    product_retailer_id?: string;
  };
  /** The kind of an interactive message. */
  type?: string;
  /** A template as the customer received it. */
  shown?: {
    header: string;
    mediaType?: 'image' | 'video' | 'document';
    filename?: string;
    text: string;
    footer: string;
    buttons?: TemplateButton[];
    /** The screen of a form. */
    title?: string;
    layout?: { children: FlowPart[] };
  };
}

export interface Card {
  name: { formatted_name: string };
  phones?: { phone: string }[];
}

export interface Message {
  id: string;
  fromCustomer: boolean;
  type: string;
  body: MessageBody | Card[];
  mediaUrl: string | null;
  replyTo: string | null;
  status: string;
  error: string;
  /** Whether another responder of the number wrote or got it. */
  isElsewhere: boolean;
  sentAt: string;
}

export interface Fault {
  kind: string;
  number: string | null;
  times: number | null;
}

export interface State {
  portfolio: Portfolio | null;
  bill: Bill | null;
  numbers: SimNumber[];
  customers: Customer[];
  /** Null if a real gateway holds the QR sessions. */
  devices: Device[] | null;
  faults: Fault[];
  outbox: { waiting: number; error: string };
  chat: {
    customer: string;
    messages: Message[];
    /** Whether another responder of the number leads it. */
    isElsewhere: boolean;
    typing: boolean;
    windowEndsAt: string | null;
  } | null;
}

interface Call {
  method?: string;
  body?: BodyInit;
  headers?: Record<string, string>;
}

async function call<T>(path: string, init: Call = {}): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    ...init,
    headers: { 'X-Simulator': '1', ...init.headers },
  });
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

export const post = <T>(path: string, body: unknown) =>
  call<T>(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });

export const clearFaults = (kind?: string) =>
  call(`/faults${kind ? `?kind=${kind}` : ''}`, { method: 'DELETE' });

/** Uploads a file and returns its id. */
export async function upload(file: Blob, name: string): Promise<string> {
  const answer = await call<{ id: string }>(`/upload?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': file.type || 'application/octet-stream' },
  });
  return answer.id;
}

export const stateQuery = (number: string, customer: string) =>
  queryOptions({
    queryKey: ['simulator', number, customer],
    queryFn: () => call<State>(`/state?number=${number}&customer=${encodeURIComponent(customer)}`),
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
    placeholderData: (previous) => previous,
  });

/** A mutation that refetches the page's state. */
export function useAct<T>(act: (value: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['simulator'] }),
  });
}
