import { z } from 'zod';

/** Area code and number, optionally with the country code. */
const isPhone = (text: string) => {
  const digits = text.replace(/\D/g, '');
  return digits.length >= 10 && digits.length <= 15 && /^[\d\s()+.-]*$/.test(text);
};

/** The sign-up form (rules/companies §7); its messages are translation keys. */
export const signupSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
  email: z.string().trim().min(1, 'field.required').pipe(z.email('field.invalidEmail')),
  phone: z.string().trim().min(1, 'field.required').refine(isPhone, 'signup:phoneInvalid'),
  password: z.string().min(1, 'field.required').min(5, 'field.tooShort').max(50, 'field.tooLong'),
  planId: z.number('signup:planNeeded'),
});

export type SignupForm = z.infer<typeof signupSchema>;
