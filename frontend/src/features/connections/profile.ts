import { z } from 'zod';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];
export type Profile = Schemas['BusinessProfile'];
export type ProfileInput = Schemas['BusinessProfileWriteRequest'];

export const VERTICALS = [
  'APPAREL',
  'AUTO',
  'BEAUTY',
  'EDU',
  'ENTERTAIN',
  'EVENT_PLAN',
  'FINANCE',
  'GOVT',
  'GROCERY',
  'HEALTH',
  'HOTEL',
  'NONPROFIT',
  'PROF_SERVICES',
  'RESTAURANT',
  'RETAIL',
  'TRAVEL',
  'OTHER',
] as const;

/** Meta's length limits (rules/connections §14). */
export const MOST = { about: 139, address: 256, description: 512, email: 128, site: 256 } as const;

const text = (most: number) => z.string().trim().max(most, 'field.tooLong');
const site = text(MOST.site).refine(
  (typed) => typed === '' || /^https?:\/\//i.test(typed),
  'connections:profile.siteWhole',
);

/** `hadAbout`: Meta refuses to clear an existing about text. */
export const profileSchema = (hadAbout: boolean) =>
  z.object({
    about: hadAbout ? text(MOST.about).min(1, 'connections:profile.aboutKept') : text(MOST.about),
    description: text(MOST.description),
    vertical: z.string(),
    address: text(MOST.address),
    email: text(MOST.email).refine(
      (typed) => typed === '' || z.email().safeParse(typed).success,
      'field.invalidEmail',
    ),
    site1: site,
    site2: site,
  });
export type ProfileForm = z.infer<ReturnType<typeof profileSchema>>;

export const formOfProfile = (profile: Profile): ProfileForm => ({
  about: profile.about,
  description: profile.description,
  vertical: profile.vertical,
  address: profile.address,
  email: profile.email,
  site1: profile.websites[0] ?? '',
  site2: profile.websites[1] ?? '',
});

/** The changed fields, in the wire's names. */
export function changesOf(form: ProfileForm, profile: Profile, handle: string): ProfileInput {
  const { about, description, vertical, address, email } = form;
  const websites = [form.site1, form.site2].filter(Boolean);
  return {
    ...(about !== profile.about && { about }),
    ...(description !== profile.description && { description }),
    ...(vertical !== profile.vertical && { vertical: vertical as ProfileInput['vertical'] }),
    ...(address !== profile.address && { address }),
    ...(email !== profile.email && { email }),
    ...(websites.join(' ') !== profile.websites.join(' ') && { websites }),
    ...(handle && { pictureHandle: handle }),
  };
}
