import { apiUrl } from '@/lib/api/client';
import { errorFromBody, networkError, type ApiError } from '@/lib/api/errors';
import { messagesSchema } from './collection';

/** The address of the call, with scheme and host. */
export const sendAddress = () => new URL(apiUrl('/messages/send'), window.location.href).href;

/** The scheme and host of the server. */
export const serverOrigin = () => new URL(sendAddress()).origin;

/** What became of a send: the status (0: no answer), the answer to the letter, and the refusal. */
export interface Outcome {
  status: number;
  text: string;
  error: ApiError | null;
}

interface Message {
  token: string;
  number: string;
  body: string;
  file: File | null;
}

/**
 * Sends as a program would: with the connection's token alone, so that a wrong one ends no session.
 */
export async function sendAsProgram({ token, number, body, file }: Message): Promise<Outcome> {
  const headers: Record<string, string> = { token: token.trim() };
  let content: BodyInit;
  if (file) {
    const form = new FormData();
    form.set('number', number);
    if (body) form.set('body', body);
    form.append('medias', file, file.name);
    content = form;
  } else {
    headers['Content-Type'] = 'application/json';
    content = JSON.stringify({ number, body });
  }
  try {
    const answer = await fetch(sendAddress(), {
      method: 'POST',
      headers,
      body: content,
      credentials: 'omit',
    });
    const text = await answer.text();
    const error = answer.ok ? null : errorFromBody(answer.status, text);
    return { status: answer.status, text: pretty(text), error };
  } catch {
    return { status: 0, text: '', error: networkError() };
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Fetches the schema of sending alone, for Postman and the like. */
export async function fetchCollection(): Promise<Blob> {
  const answer = await fetch(apiUrl('/schema', { format: 'json' })).catch(() => {
    throw networkError();
  });
  const text = await answer.text();
  if (!answer.ok) throw errorFromBody(answer.status, text);
  const part = messagesSchema(JSON.parse(text) as Record<string, unknown>, serverOrigin());
  return new Blob([JSON.stringify(part, null, 2)], { type: 'application/json' });
}
