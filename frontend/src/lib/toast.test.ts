import { afterEach, expect, test, vi } from 'vitest';
import { i18n } from '@/i18n';
import { ApiError } from '@/lib/api/errors';
import { errorMessage, keepToastsLonger, toast, toaster } from './toast';

afterEach(() => i18n.changeLanguage('pt'));

test('a known code is translated', () => {
  expect(errorMessage(new ApiError(401, 'ERR_INVALID_CREDENTIALS', 'raw'))).toBe(
    'E-mail ou Senha inválida. Por favor, tente novamente.',
  );
});

test('an unknown code shows the raw text', () => {
  expect(errorMessage(new ApiError(400, 'ERR_SOMETHING_NEW', 'Escolha outra fila.'))).toBe(
    'Escolha outra fila.',
  );
});

test('the due-date refusal names the day', () => {
  expect(errorMessage(new ApiError(402, 'ERR_COMPANY_EXPIRED', 'venceu 14/12/2025.'))).toBe(
    'Opss! Sua assinatura venceu 14/12/2025. Entre em contato com o Suporte para mais informações!',
  );
});

test('anything that is no refusal of the server is unexpected', () => {
  expect(errorMessage(new TypeError('x is undefined'))).toBe('Algo deu errado. Tente novamente.');
});

test.each([
  [5, 'Muitas tentativas. Tente novamente em 5 s.'],
  [160, 'Muitas tentativas. Tente novamente em 3 min.'],
  [undefined, 'Aguarde.'],
])('a refusal for %s seconds says how long to wait', (retryAfter, words) => {
  const body = { retryAfter };
  expect(errorMessage(new ApiError(429, 'ERR_TOO_MANY_REQUESTS', 'Aguarde.', {}, body))).toBe(
    words,
  );
});

test('a test that failed says why in the reader’s language', async () => {
  await i18n.changeLanguage('en');
  const failure = (reason: Record<string, unknown>) =>
    new ApiError(424, 'ERR_INTEGRATION_TEST_FAILED', 'O Typebot recusou.', {}, reason);
  expect(errorMessage(failure({ reasonCode: 'flow_refused', reasonDetail: 'vendas' }))).toBe(
    'Typebot refused the flow “vendas”. Check that it is public.',
  );
  expect(errorMessage(failure({}))).toBe('O Typebot recusou.');
});

test('what is gone is named where the server’s language is read, and told in the others', async () => {
  const gone = new ApiError(404, 'ERR_NOT_FOUND', 'Esta coluna do quadro não existe.');
  await i18n.changeLanguage('pt');
  expect(errorMessage(gone)).toBe('Esta coluna do quadro não existe.');
  expect(errorMessage(new ApiError(404, 'ERR_NOT_FOUND', ''))).toBe(
    'Registro não encontrado. Ele pode ter sido excluído.',
  );
  await i18n.changeLanguage('en');
  expect(errorMessage(gone)).toBe('Record not found. It may have been deleted.');
});

test('a notice stays for two seconds, on the pages of campaigns for three', () => {
  const create = vi.spyOn(toaster, 'create');
  const end = keepToastsLonger();
  toast.success('Campanha salva.');
  end();
  toast.success('Contato salvo.');
  expect(create.mock.calls.map(([{ duration }]) => duration)).toEqual([3000, 2000]);
});

test('a failure stays for two seconds, in the words of its code or else in its own', () => {
  const create = vi.spyOn(toaster, 'create');
  toast.error(new ApiError(401, 'ERR_INVALID_CREDENTIALS', 'raw'));
  toast.error(new ApiError(400, 'ERR_SOMETHING_NEW', 'Escolha outra fila.'));
  expect(create.mock.calls.slice(-2)).toEqual([
    [
      {
        type: 'error',
        title: 'E-mail ou Senha inválida. Por favor, tente novamente.',
        duration: 2000,
      },
    ],
    [{ type: 'error', title: 'Escolha outra fila.', duration: 2000 }],
  ]);
});
