import { act, renderHook } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it } from 'vitest';
import { i18n } from '@/i18n';
import { ApiError } from './api/errors';
import { fieldsInWords, showFieldErrors } from './forms';
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
  expect(shown(refusal('ERR_VALIDATION', { nome: 'key_again' }))).toBe(
    'The address changed: enter the key again.',
  );
  for (const codes of [{ nome: 'of_its_own' }, {}] as Record<string, string>[])
    expect(shown(refusal('ERR_VALIDATION', codes))).toBe(
      'This is not accepted here. Check what was entered.',
    );
  expect(shown(refusal('ERR_DUPLICATED_CONTACT', {}))).toBe(
    'A contact with this number already exists.',
  );
});

it('says in other languages why what was entered can not be used', async () => {
  await act(() => i18n.changeLanguage('es'));
  const reason = { reasonCode: 'account_lacks', reasonDetail: 'client_email' };
  expect(shown(refusal('ERR_VALIDATION', { nome: 'invalid' }, reason))).toBe(
    'Falta “client_email” en el JSON de la cuenta de servicio.',
  );
});

it('gives the fields of a refusal in words, for forms that place them themselves', async () => {
  const variable = new ApiError(400, 'ERR_TEMPLATE_PARAMETERS', 'x', { 'body.1': ['Preencha.'] });
  const taken = refusal('ERR_VALIDATION', { nome: 'taken' });
  expect(fieldsInWords(variable)).toEqual({ 'body.1': ['Preencha.'] });
  expect(fieldsInWords(taken)).toEqual({ nome: ['Informe o nome.'] });
  await act(() => i18n.changeLanguage('es'));
  expect(fieldsInWords(variable)).toEqual({ 'body.1': ['Revise los campos de la plantilla.'] });
  expect(fieldsInWords(taken)).toEqual({ nome: ['Ya existe uno así. Elija otro.'] });
  expect(fieldsInWords(new Error('x'))).toEqual({});
});
