import { chakra } from '@chakra-ui/react';
import { Camera as CameraIcon, ImageUp, QrCode } from 'lucide-react';
import { useRef, useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { TextInput } from '@/components/TextInput';
import { formatTime } from '@/lib/format';
import { Camera } from './Camera';
import { post, useAct, type Device, type SimNumber } from './api';
import { readPicture } from './reading';

const PHONE = '+55 11 97777-0009';

interface Props {
  waiting: Device[];
  phones: SimNumber[];
  onLinked: (number: string) => void;
}

/**
 * Scans a connection's QR code with a phone: chosen from a list, by camera, from a picture, or
 * typed.
 */
export function ScanForm({ waiting, phones, onLinked }: Props) {
  const { t } = useTranslation('simulator');
  const [phone, setPhone] = useState(phones[0]?.phone ?? PHONE);
  const [name, setName] = useState(phones[0]?.name ?? t('devices.shop'));
  const [typed, setTyped] = useState('');
  const [seeing, setSeeing] = useState(false);
  const [refusal, setRefusal] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const scan = useAct((code: string) => post<Device>('/devices/scan', { code, phone, name }));

  const link = (code: string) => {
    setSeeing(false);
    setRefusal('');
    scan.mutate(code, {
      onSuccess: (device) => onLinked((device as Device).number ?? ''),
      onError: () => setRefusal(t('devices.refused')),
    });
  };
  const look = async (picture: Blob | null | undefined) => {
    if (!picture) return;
    const code = await readPicture(picture);
    if (code) link(code);
    else setRefusal(t('devices.unread'));
  };
  const pictureOf = (data: DataTransfer) =>
    [...data.files].find(({ type }) => type.startsWith('image/'));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (typed.trim()) link(typed.trim());
  };
  return (
    <chakra.form
      aria-label={t('devices.link')}
      onSubmit={submit}
      display="grid"
      gap="4"
      minW="0"
      onPaste={(event) => {
        const picture = pictureOf(event.clipboardData);
        if (picture) event.preventDefault();
        void look(picture);
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void look(pictureOf(event.dataTransfer));
      }}
    >
      <chakra.h3 fontWeight="semibold">{t('devices.link')}</chakra.h3>
      <chakra.div display="grid" gap="3" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
        <Field label={t('devices.phone')}>
          <TextInput
            inputMode="tel"
            value={phone}
            onChange={(event) => setPhone(event.target.value)}
          />
        </Field>
        <Field label={t('devices.name')}>
          <TextInput value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
      </chakra.div>
      {waiting.length === 0 ? (
        <chakra.p textStyle="sm" color="fg.muted">
          {t('devices.noCode')}
        </chakra.p>
      ) : (
        <chakra.ul display="grid" gap="2" aria-label={t('devices.waiting')}>
          {waiting.map(({ session, code, shownAt }) => (
            <li key={session}>
              <Button
                w="full"
                icon={<QrCode size={18} aria-hidden />}
                loading={scan.isPending}
                onClick={() => link(code)}
              >
                {t('devices.scan', { session, time: shownAt ? formatTime(shownAt) : '' })}
              </Button>
            </li>
          ))}
        </chakra.ul>
      )}
      {seeing && <Camera onRead={link} />}
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <Button
          size="sm"
          variant="outline"
          icon={<CameraIcon size={16} aria-hidden />}
          aria-pressed={seeing}
          onClick={() => setSeeing(!seeing)}
        >
          {t('devices.useCamera')}
        </Button>
        <Button
          size="sm"
          variant="outline"
          icon={<ImageUp size={16} aria-hidden />}
          onClick={() => file.current?.click()}
        >
          {t('devices.picture')}
        </Button>
        <chakra.input
          ref={file}
          type="file"
          accept="image/*"
          display="none"
          aria-label={t('devices.picture')}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            event.target.value = '';
            void look(chosen);
          }}
        />
      </chakra.div>
      <Field label={t('devices.typed')} help={t('devices.typedHelp')} error={refusal}>
        <TextInput
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <chakra.div>
        <Button type="submit" variant="outline" disabled={!typed.trim()} loading={scan.isPending}>
          {t('devices.connect')}
        </Button>
      </chakra.div>
    </chakra.form>
  );
}
