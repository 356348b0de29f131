import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { ImageUp, Link2, Mail, MapPin, Store } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field, useFieldProps } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { LoadingDialog } from '@/components/LoadingDialog';
import { Select } from '@/components/Select';
import { TextArea, TextInput } from '@/components/TextInput';
import { uploadSample } from '@/features/templates/api';
import { showFieldErrors } from '@/lib/forms';
import { formatPhone } from '@/lib/format';
import { errorMessage, toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { profileQuery, useSaveProfile } from './api';
import {
  changesOf,
  formOfProfile,
  MOST,
  profileSchema,
  VERTICALS,
  type Profile,
  type ProfileForm,
} from './profile';
import type { Connection } from './types';

interface ProfileDialogProps {
  connection: Connection;
  onClose: () => void;
}

/** Edits the profile of an official number, beside a preview as on a phone. */
export function ProfileDialog({ connection, onClose }: ProfileDialogProps) {
  const { t } = useTranslation('connections');
  const profile = useQuery(profileQuery(connection.id));
  const title = t('profile.title', { name: connection.name });
  if (!profile.data)
    return (
      <LoadingDialog
        title={title}
        query={profile}
        size="lg"
        heights={['20', '9', '20', '9', '9', '9']}
        onClose={onClose}
      />
    );
  return <Editor {...{ connection, title, onClose }} profile={profile.data} />;
}

/** The form fields of the wire's names. */
const NAMES = {
  about: 'about',
  description: 'description',
  vertical: 'vertical',
  address: 'address',
  email: 'email',
  websites: 'site1',
  'websites.0': 'site1',
  'websites.1': 'site2',
} as const;

interface EditorProps extends ProfileDialogProps {
  title: string;
  profile: Profile;
}

function Editor({ connection, title, profile: shown, onClose }: EditorProps) {
  const { t } = useTranslation(['connections', 'common']);
  const errorText = useErrorText();
  // A new fetch meanwhile must not change the base of the user's changes.
  const [profile] = useState(shown);
  const save = useSaveProfile(connection.id);
  const picture = usePicture(connection.id);
  const [failure, setFailure] = useState('');
  const form = useForm<ProfileForm>({
    resolver: zodResolver(profileSchema(profile.about !== '')),
    defaultValues: formOfProfile(profile),
  });
  const { errors, isDirty } = form.formState;
  const typed = useWatch({ control: form.control });
  const submit = form.handleSubmit((values) => {
    setFailure('');
    return save.mutateAsync(changesOf(values, profile, picture.handle)).then(
      () => {
        toast.success(t('profile.saved'));
        onClose();
      },
      (error: unknown) => {
        if (!showFieldErrors(form, error, NAMES)) setFailure(errorMessage(error));
      },
    );
  });
  const text = (name: Exclude<keyof ProfileForm, 'vertical'>, most: number, lines = 1) => (
    <Field
      label={t(`profile.${name}`)}
      error={errorText(errors[name]?.message)}
      {...(lines > 0 && { aside: <Left typed={typed[name] ?? ''} most={most} /> })}
      {...(name === 'about' && { help: t('profile.aboutHelp') })}
    >
      {lines > 1 ? (
        <TextArea rows={lines} {...form.register(name)} />
      ) : (
        <TextInput
          autoComplete="off"
          {...(name === 'email' && { type: 'email' })}
          {...(name.startsWith('site') && { type: 'url', placeholder: 'https://' })}
          {...form.register(name)}
        />
      )}
    </Field>
  );
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={title}
      dirty={(isDirty || picture.busy || picture.handle !== '') && !save.isSuccess}
      onSubmit={submit}
      submitLabel={t('common:actions.save')}
      busy={save.isPending || picture.busy}
    >
      <chakra.div
        display="grid"
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 272px' }}
      >
        <chakra.div display="flex" flexDirection="column" gap="5" minW="0">
          <Field label={t('profile.picture')} help={t('profile.pictureHelp')} error={picture.error}>
            <PictureButton picture={picture} />
          </Field>
          {text('about', MOST.about)}
          {text('description', MOST.description, 3)}
          <Field label={t('profile.vertical')} error={errorText(errors.vertical?.message)}>
            <Select
              placeholder={t('profile.noVertical')}
              options={[
                ...VERTICALS.map((value) => ({ value, label: t(`profile.verticals.${value}`) })),
                ...unknownVertical(profile.vertical),
              ]}
              {...form.register('vertical')}
            />
          </Field>
          {text('address', MOST.address, 2)}
          {text('email', MOST.email, 0)}
          {text('site1', MOST.site, 0)}
          {text('site2', MOST.site, 0)}
          {failure && (
            <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
              {failure}
            </chakra.p>
          )}
        </chakra.div>
        <Preview
          connection={connection}
          profile={typed}
          address={picture.address || profile.pictureUrl}
        />
      </chakra.div>
    </FormDialog>
  );
}

/** Meta may have categories that are not known here: they are shown as stored. */
const unknownVertical = (value: string) =>
  value === '' || VERTICALS.some((each) => each === value) ? [] : [{ value, label: value }];

/** The remaining characters, once they are few. */
function Left({ typed, most }: { typed: string; most: number }) {
  const left = most - typed.length;
  if (left > most / 4) return null;
  return (
    <chakra.span
      textStyle="xs"
      fontVariantNumeric="tabular-nums"
      color={left < 0 ? 'status.danger.fg' : 'fg.muted'}
    >
      {left}
    </chakra.span>
  );
}

const PICTURES = ['image/png', 'image/jpeg'];
const PICTURE_BYTES = 5 * 1024 * 1024;

/** A new picture, uploaded as soon as it is chosen. */
function usePicture(connectionId: number) {
  const { t } = useTranslation('connections');
  const [state, setState] = useState({ handle: '', address: '', error: '', busy: false });
  const address = useRef('');
  useEffect(
    () => () => {
      if (address.current) URL.revokeObjectURL(address.current);
    },
    [],
  );
  const choose = async (file: File) => {
    if (!PICTURES.includes(file.type) || file.size > PICTURE_BYTES) {
      setState((before) => ({ ...before, error: t('profile.pictureRule') }));
      return;
    }
    setState((before) => ({ ...before, error: '', busy: true }));
    try {
      const { handle } = await uploadSample(connectionId, file);
      if (address.current) URL.revokeObjectURL(address.current);
      address.current = URL.createObjectURL(file);
      setState({ handle, address: address.current, error: '', busy: false });
    } catch (caught) {
      setState((before) => ({ ...before, error: errorMessage(caught), busy: false }));
    }
  };
  return { ...state, choose };
}

function PictureButton({ picture }: { picture: ReturnType<typeof usePicture> }) {
  const { t } = useTranslation('connections');
  const input = useRef<HTMLInputElement>(null);
  const field = useFieldProps();
  return (
    <chakra.div>
      <chakra.input
        ref={input}
        type="file"
        hidden
        aria-hidden
        tabIndex={-1}
        accept=".png,.jpg,.jpeg"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void picture.choose(file);
          event.target.value = '';
        }}
      />
      <Button
        {...field}
        variant="outline"
        icon={<ImageUp size={16} />}
        loading={picture.busy}
        onClick={() => input.current?.click()}
      >
        {t('profile.choosePicture')}
      </Button>
    </chakra.div>
  );
}

interface PreviewProps {
  connection: Connection;
  profile: Partial<ProfileForm>;
  /** The address of the picture; '' for none. */
  address: string;
}

/** The profile as a contact sees it. */
function Preview({ connection, profile, address }: PreviewProps) {
  const { t } = useTranslation('connections');
  const [broken, setBroken] = useState('');
  const vertical = VERTICALS.find((each) => each === profile.vertical);
  const sites = [profile.site1, profile.site2].filter(Boolean);
  return (
    <chakra.section
      aria-label={t('profile.preview')}
      position={{ md: 'sticky' }}
      top="0"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.subtle"
      overflow="hidden"
    >
      <chakra.h3 textStyle="xs" fontWeight="medium" color="fg.muted" px="4" pt="3">
        {t('profile.preview')}
      </chakra.h3>
      <chakra.div
        display="flex"
        flexDirection="column"
        alignItems="center"
        gap="1"
        px="4"
        py="4"
        textAlign="center"
      >
        <chakra.span
          display="flex"
          alignItems="center"
          justifyContent="center"
          w="24"
          h="24"
          mb="2"
          borderRadius="full"
          overflow="hidden"
          borderWidth="1px"
          bg="bg.surface"
          color="fg.muted"
        >
          {address && broken !== address ? (
            <chakra.img
              src={address}
              alt={t('profile.picture')}
              w="full"
              h="full"
              objectFit="cover"
              onError={() => setBroken(address)}
            />
          ) : (
            <Store size={32} aria-hidden />
          )}
        </chakra.span>
        <chakra.span textStyle="lg" fontWeight="semibold" overflowWrap="anywhere" maxW="full">
          {connection.name}
        </chakra.span>
        {connection.number && (
          <chakra.span textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
            {formatPhone(connection.number)}
          </chakra.span>
        )}
        {vertical && (
          <chakra.span textStyle="sm" color="fg.muted">
            {t(`profile.verticals.${vertical}`)}
          </chakra.span>
        )}
      </chakra.div>
      <chakra.div display="flex" flexDirection="column" gap="3" px="4" pb="4" textStyle="sm">
        {profile.description && <Words>{profile.description}</Words>}
        {profile.address && <Line icon={<MapPin size={16} />}>{profile.address}</Line>}
        {profile.email && <Line icon={<Mail size={16} />}>{profile.email}</Line>}
        {sites.map((each, index) => (
          <Line key={index} icon={<Link2 size={16} />}>
            {each}
          </Line>
        ))}
        {profile.about && (
          <chakra.div borderTopWidth="1px" borderColor="border.subtle" pt="3">
            <Words>{profile.about}</Words>
          </chakra.div>
        )}
      </chakra.div>
    </chakra.section>
  );
}

const Words = ({ children }: { children: ReactNode }) => (
  <chakra.p overflowWrap="anywhere" whiteSpace="pre-wrap">
    {children}
  </chakra.p>
);

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <chakra.div display="flex" gap="2.5" alignItems="flex-start">
      <chakra.span aria-hidden display="flex" flexShrink="0" pt="0.5" color="fg.muted">
        {icon}
      </chakra.span>
      <Words>{children}</Words>
    </chakra.div>
  );
}
