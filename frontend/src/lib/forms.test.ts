import { act, renderHook } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it } from 'vitest';
import { i18n } from '@/i18n';
import { ApiError } from './api/errors';
import { showFieldErrors } from './forms';
import { useErrorText } from './useErrorText';

const refusal = (code: string, fieldCodes: Record<string, string>, reason: object = {}) =>
  new ApiError(400, code, 'Inválido.', { nome: ['Informe o nome.'] }, { fieldCodes, ...reason });

function shown(error: ApiError) {
  const { result } = renderHook(() => {
    const form = useForm({ defaultValues: { name: '' } });
    return { form, words: useErrorText(), message: form.formState.errors.name?.message };
  });
  act(() => {
    expect(showFieldErrors(result.current.form, error, { nome: 'name' })).toBe(true);
  });
  return result.current.words(result.current.message);
}

afterEach(async () => {
  await act(() => i18n.changeLanguage('pt'));
});

it('shows what the server wrote in its own language', () => {
  expect(shown(refusal('ERR_VALIDATION', { nome: 'required' }))).toBe('Informe o nome.');
});

it('says in other languages which rule a field breaks', async () => {
  await act(() => i18n.changeLanguage('en'));
  expect(shown(refusal('ERR_VALIDATION', { nome: 'required' }))).toBe('This field is required.');
  expect(shown(refusal('ERR_VALIDATION', { nome: 'of_its_own' }))).toBe('Informe o nome.');
  expect(shown(refusal('ERR_DUPLICATED_CONTACT', {}))).toBe(
    'A contact with this number already exists.',
  );
});

it('says in other languages why what was entered can not be used', async () => {
  await act(() => i18n.changeLanguage('es'));
  const reason = { reasonCode: 'account_lacks', reasonDetail: 'client_email' };
  expect(shown(refusal('ERR_VALIDATION', {}, reason))).toBe(
    'Falta “client_email” en el JSON de la cuenta de servicio.',
  );
});
