import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { putAtStore } from '@/lib/api/store';
import { bringFile, forgetThatItIsOff, LEAST_DIRECT_BYTES } from './directUpload';

vi.mock('@/lib/api/client', () => ({ api: { post: vi.fn() } }));
vi.mock('@/lib/api/store', () => ({ putAtStore: vi.fn() }));

const OFFER = { id: 'token', url: 'https://s3.example.com/x', headers: { 'Content-Type': 'a/b' } };
const large = new File([new Uint8Array(LEAST_DIRECT_BYTES)], 'filme.mp4', { type: 'video/mp4' });
const progress = vi.fn();
const bring = (file: File) => bringFile(5, file, new AbortController().signal, progress);

beforeEach(() => {
  vi.resetAllMocks();
  forgetThatItIsOff();
  vi.mocked(api.post).mockResolvedValue(OFFER);
  vi.mocked(putAtStore).mockResolvedValue(true);
});

test('a large file is brought to the store and named by its token', async () => {
  expect(await bring(large)).toBe('token');
  const [path, body] = vi.mocked(api.post).mock.calls[0] ?? [];
  expect(path).toBe('/messages/5/uploads');
  expect(body).toEqual({ name: 'filme.mp4', mime: 'video/mp4', size: LEAST_DIRECT_BYTES });
  expect(vi.mocked(putAtStore).mock.calls[0]?.slice(0, 3)).toEqual([
    OFFER.url,
    OFFER.headers,
    large,
  ]);
});

test('a small file goes with the call', async () => {
  expect(await bring(new File(['x'], 'a.txt'))).toBeNull();
  expect(api.post).not.toHaveBeenCalled();
});

test('a file that the store does not take goes with the call', async () => {
  vi.mocked(putAtStore).mockResolvedValue(false);
  expect(await bring(large)).toBeNull();
});

test('a server without a store is asked once', async () => {
  vi.mocked(api.post).mockRejectedValue(new ApiError(404, 'ERR_DIRECT_UPLOAD_OFF', 'off'));
  expect(await bring(large)).toBeNull();
  expect(await bring(large)).toBeNull();
  expect(api.post).toHaveBeenCalledTimes(1);
});

test('a refusal of the file is told', async () => {
  vi.mocked(api.post).mockRejectedValue(new ApiError(413, 'ERR_MEDIA_TOO_LARGE', 'grande'));
  await expect(bring(large)).rejects.toThrow('grande');
});
