import type { SignupOffer } from './types';

/** The result of Meta's window, to be posted to the server. */
export interface SignupGift {
  code: string;
  wabaId: string;
  /** Empty if Meta names only the account, as for numbers that stay on a phone. */
  phoneNumberId: string;
  coexistence: boolean;
}

/** Why the window gave no result. `blocked`: it did not open; `no_number`: none was chosen. */
export type WindowProblem = 'cancelled' | 'blocked' | 'no_number' | 'failed' | 'no_script';

/** The window ended without a result; `words` is Meta's own message, if any. */
export class WindowEnded extends Error {
  readonly problem: WindowProblem;
  readonly words: string;

  constructor(problem: WindowProblem, words = '') {
    super(problem);
    this.name = 'WindowEnded';
    this.problem = problem;
    this.words = words;
  }
}

type Chosen = Omit<SignupGift, 'code'>;

const FINISHED = 'FINISH';
/** The number stays in the WhatsApp Business app of its phone. */
const FINISHED_ON_APP = 'FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING';
const FINISHED_WITHOUT_NUMBER = 'FINISH_ONLY_WABA';
const ON_APP = 'whatsapp_business_app_onboarding';

const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function parsed(data: unknown): Record<string, unknown> {
  if (typeof data !== 'string') return asRecord(data);
  try {
    return asRecord(JSON.parse(data));
  } catch {
    return {};
  }
}

/** Reads a WA_EMBEDDED_SIGNUP message of the window; ignores other messages and origins. */
export function readMessage(
  { origin, data }: Pick<MessageEvent, 'origin' | 'data'>,
  origins: readonly string[],
): Chosen | WindowEnded | null {
  if (!origins.includes(origin)) return null;
  const message = parsed(data);
  if (message.type !== 'WA_EMBEDDED_SIGNUP') return null;
  const told = asRecord(message.data);
  const wabaId = asText(told.waba_id);
  const phoneNumberId = asText(told.phone_number_id);
  const words = asText(told.error_message);
  switch (message.event) {
    case FINISHED:
      if (!wabaId || !phoneNumberId) return new WindowEnded('no_number');
      return { wabaId, phoneNumberId, coexistence: false };
    case FINISHED_ON_APP:
      if (!wabaId) return new WindowEnded('no_number');
      return { wabaId, phoneNumberId, coexistence: true };
    case FINISHED_WITHOUT_NUMBER:
      return new WindowEnded('no_number');
    case 'ERROR':
      return new WindowEnded('failed', words);
    case 'CANCEL':
      return words ? new WindowEnded('failed', words) : new WindowEnded('cancelled');
    default:
      return null;
  }
}

interface LoginAnswer {
  authResponse?: { code?: string } | null;
}

interface FacebookSdk {
  init: (options: Record<string, unknown>) => void;
  login: (callback: (answer: LoginAnswer) => void, options: Record<string, unknown>) => void;
}

declare global {
  interface Window {
    FB?: FacebookSdk;
    fbAsyncInit?: () => void;
  }
}

let loading: Promise<FacebookSdk> | null = null;

/**
 * Loads the script that opens the window, once; it must be loaded before the click that opens it.
 */
export function loadSdk(offer: SignupOffer): Promise<FacebookSdk> {
  loading ??= new Promise<FacebookSdk>((resolve, reject) => {
    const script = document.createElement('script');
    const ready = () => {
      if (!window.FB) return;
      window.FB.init({ appId: offer.appId, version: offer.version, xfbml: false });
      resolve(window.FB);
    };
    window.fbAsyncInit = ready;
    script.src = offer.sdkUrl;
    script.async = true;
    const fail = () => {
      loading = null;
      script.remove();
      reject(new WindowEnded('no_script'));
    };
    script.onerror = fail;
    // Some blockers answer with an empty script.
    script.onload = () => {
      if (!window.FB) fail();
    };
    document.head.append(script);
  });
  return loading;
}

/** Runs a function that opens a window; returns whether the browser blocked it. */
function isBlocked(open: () => void): boolean {
  const original = window.open.bind(window);
  let blocked = false;
  window.open = (...args) => {
    const opened = original(...args);
    blocked = opened === null;
    return opened;
  };
  try {
    open();
  } finally {
    window.open = original;
  }
  return blocked;
}

/** How long after the code the window's message may arrive. */
const MESSAGE_MS = 5000;

/**
 * Opens Meta's window and waits for its result: a code in the script's answer, and the ids in a
 * message, in either order. An error or a cancelled step is reported while the window is still
 * open: the script's answer ends the wait. Rejects with `WindowEnded`, also when `signal` is
 * aborted. Must be called in the click handler itself.
 */
export function openWindow(
  sdk: FacebookSdk,
  offer: SignupOffer,
  coexistence: boolean,
  signal: AbortSignal,
): Promise<SignupGift> {
  return new Promise<SignupGift>((resolve, reject) => {
    let told: Chosen | WindowEnded | null = null;
    let code = '';
    const end = () => {
      window.removeEventListener('message', hear);
      signal.removeEventListener('abort', abort);
    };
    const give = () => {
      if (!told || told instanceof WindowEnded || !code) return;
      end();
      resolve({ ...told, code });
    };
    const fail = (why: WindowEnded) => {
      end();
      reject(why);
    };
    const hear = (event: MessageEvent) => {
      told = readMessage(event, offer.origins) ?? told;
      give();
    };
    const abort = () => fail(new WindowEnded('cancelled'));
    const failAs = (problem: WindowProblem) =>
      fail(told instanceof WindowEnded ? told : new WindowEnded(problem));
    const answer = ({ authResponse }: LoginAnswer) => {
      code = authResponse?.code ?? '';
      give();
      if (!code) failAs('cancelled');
      else setTimeout(() => failAs('no_number'), MESSAGE_MS);
    };
    window.addEventListener('message', hear);
    signal.addEventListener('abort', abort);
    const blocked = isBlocked(() =>
      sdk.login(answer, {
        config_id: offer.configId,
        response_type: 'code',
        override_default_response_type: true,
        extras: {
          version: 'v4',
          sessionInfoVersion: '3',
          ...(coexistence && { featureType: ON_APP }),
        },
      }),
    );
    if (blocked) fail(new WindowEnded('blocked'));
  });
}
