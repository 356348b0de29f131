import { beforeEach, expect, test, vi } from 'vitest';
import { bringFile, forgetThatItIsOff, LEAST_DIRECT_BYTES } from './directUpload';

const OFFER = { id: 'token', url: 'https://s3.example.com/x', headers: { 'Content-Type': 'a/b' } };
const large = new File([new Uint8Array(LEAST_DIRECT_BYTES)], 'filme.mp4', { type: 'video/mp4' });
const bring = (file: File) => bringFile(5, file, new AbortController().signal, vi.fn());

let asked: unknown[];
let brought: unknown[];
let offer: Response;
/** What the store answers; null if the browser cannot reach it. */
let status: number | null;

class Put {
  upload = {};
  status = 0;
  onload?: () => void;
  onerror?: () => void;
  open = (method: string, url: string) => brought.push(`${method} ${url}`);
  setRequestHeader = (name: string, value: string) => brought.push(`${name}: ${value}`);
  send = (file: unknown) => {
    brought.push(file);
    this.status = status ?? 0;
    queueMicrotask(() => (status === null ? this.onerror?.() : this.onload?.()));
  };
}

beforeEach(() => {
  forgetThatItIsOff();
  asked = [];
  brought = [];
  offer = Response.json(OFFER, { status: 201 });
  status = 200;
  vi.stubGlobal('XMLHttpRequest', Put);
  vi.stubGlobal('fetch', (url: string, request: { body: string }) => {
    asked.push(new URL(url, 'http://balcao.test').pathname, JSON.parse(request.body));
    return Promise.resolve(offer.clone());
  });
});

test('a large file is brought to the store and named by its token', async () => {
  expect(await bring(large)).toBe('token');
  expect(asked).toEqual([
    '/api/messages/5/uploads',
    { name: 'filme.mp4', mime: 'video/mp4', size: LEAST_DIRECT_BYTES },
  ]);
  expect(brought).toEqual([`PUT ${OFFER.url}`, 'Content-Type: a/b', large]);
});

test('a small file goes with the call', async () => {
  expect(await bring(new File(['x'], 'a.txt'))).toBeNull();
  expect(asked).toEqual([]);
});

test.each([403, null])('a file that the store does not take goes with the call', async (answer) => {
  status = answer;
  expect(await bring(large)).toBeNull();
});

test('a server without a store is asked once', async () => {
  offer = Response.json({ code: 'ERR_DIRECT_UPLOAD_OFF' }, { status: 404 });
  expect(await bring(large)).toBeNull();
  expect(await bring(large)).toBeNull();
  expect(asked).toHaveLength(2);
  expect(brought).toEqual([]);
});

test('a refusal of the file is told', async () => {
  offer = Response.json({ code: 'ERR_MEDIA_TOO_LARGE', message: 'grande' }, { status: 413 });
  await expect(bring(large)).rejects.toThrow('grande');
});
