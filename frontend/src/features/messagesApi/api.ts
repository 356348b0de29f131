import { apiUrl } from '@/lib/api/client';
import { errorFromBody, networkError, type ApiError } from '@/lib/api/errors';
import { messagesSchema } from './collection';

/** The absolute URL of the call. */
export const sendAddress = () => new URL(apiUrl('/messages/send'), window.location.href).href;

/** The origin of the server. */
export const serverOrigin = () => new URL(sendAddress()).origin;

/** The result of a send: the status (0 without a response), the response's text, and the error. */
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
 * Sends with the connection's token only, as a program does: a wrong token must not end the
 * session.
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

/**
 * Fetches the part of the OpenAPI schema that describes sending, for Postman and similar clients.
 */
export async function fetchCollection(): Promise<Blob> {
  const answer = await fetch(apiUrl('/schema', { format: 'json' })).catch(() => {
    throw networkError();
  });
  const text = await answer.text();
  if (!answer.ok) throw errorFromBody(answer.status, text);
  const part = messagesSchema(JSON.parse(text) as Record<string, unknown>, serverOrigin());
  return new Blob([JSON.stringify(part, null, 2)], { type: 'application/json' });
}
