import { getContentType, normalizeMessageContent, proto } from 'baileys';
import type { JsonObject, MediaPart } from './contract.js';

/** The content of a message, without sender and conversation. */
export interface Content {
  type: string;
  body: string;
  choiceId?: string;
  media?: MediaPart;
  data?: JsonObject;
  reaction?: { to: string; emoji: string };
  edits?: string;
  deletes?: string;
  poll?: JsonObject;
  vote?: JsonObject;
  replyTo?: string;
}

/** Unknown or unreadable content. */
export const UNKNOWN: Content = { type: 'unknown', body: 'unknown' };

type Media =
  | proto.Message.IImageMessage
  | proto.Message.IVideoMessage
  | proto.Message.IAudioMessage
  | proto.Message.IDocumentMessage
  | proto.Message.IStickerMessage;

const REVOKE = 0;
const MESSAGE_EDIT = 14;

const { CallOutcome } = proto.Message.CallLogMessage;
/**
 * The outcomes of missed calls: neither accepted nor rejected. A rejected call is reported while it
 * rings.
 */
const MISSED: ReadonlySet<unknown> = new Set([
  CallOutcome.MISSED,
  CallOutcome.FAILED,
  CallOutcome.SILENCED_BY_DND,
  CallOutcome.SILENCED_UNKNOWN_CALLER,
]);

/** Parts that are not messages to people: keys, pins, settings. */
const SILENT: ReadonlySet<string> = new Set([
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'deviceSentMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'encReactionMessage',
  'encEventResponseMessage',
  'placeholderMessage',
  'albumMessage',
  'stickerSyncRmrMessage',
]);

/** An integer from the wire: a number, or a Long if it may be large. */
export function wholeOf(value: { toString: () => string } | null | undefined): number {
  return Number(value?.toString() ?? 0) || 0;
}

function base64(bytes: Uint8Array | null | undefined): string {
  return bytes ? Buffer.from(bytes).toString('base64') : '';
}

function media(kind: string, part: Media, name = ''): MediaPart {
  const audio = part as proto.Message.IAudioMessage;
  return {
    mime: part.mimetype ?? '',
    name,
    size: wholeOf(part.fileLength),
    sha256: base64(part.fileSha256),
    isVoice: audio.ptt === true,
    seconds: audio.seconds ?? 0,
    reference: {
      kind,
      mime: part.mimetype ?? '',
      name,
      sha256: base64(part.fileSha256),
      mediaKey: base64(part.mediaKey),
      directPath: part.directPath ?? '',
      url: part.url ?? '',
    },
  };
}

function place(part: proto.Message.ILocationMessage | proto.Message.ILiveLocationMessage): Content {
  const { degreesLatitude, degreesLongitude } = part;
  const { name, address } = part as proto.Message.ILocationMessage;
  return {
    type: 'location',
    body: (part as proto.Message.ILiveLocationMessage).caption ?? '',
    data: {
      latitude: degreesLatitude ?? 0,
      longitude: degreesLongitude ?? 0,
      name: name ?? '',
      address: address ?? '',
    },
  };
}

function cards(parts: proto.Message.IContactMessage[]): Content {
  const contacts = parts.map((card) => ({
    name: card.displayName ?? '',
    vcard: card.vcard ?? '',
  }));
  return { type: 'contact', body: '', data: { contacts } };
}

/** The poll and, if present, the secret with which its votes are encrypted. */
function poll(part: proto.Message.IPollCreationMessage, secret: string): Content {
  const options = (part.options ?? []).map((option) => option.optionName ?? '');
  const selectable = part.selectableOptionsCount ?? 0;
  return {
    type: 'poll',
    body: part.name ?? '',
    poll: { name: part.name ?? '', options, selectable, ...(secret && { secret }) },
  };
}

/** An encrypted vote: the server has the poll and decrypts it. The voter is added later. */
function vote(part: proto.Message.IPollUpdateMessage): Content | null {
  const to = part.pollCreationMessageKey?.id;
  const { encPayload, encIv } = part.vote ?? {};
  if (!to || !encPayload || !encIv) return null;
  const at = wholeOf(part.senderTimestampMs);
  return {
    type: 'vote',
    body: '',
    vote: { to, payload: base64(encPayload), iv: base64(encIv), at },
  };
}

function missedCall(part: proto.Message.ICallLogMessage): Content | null {
  if (!MISSED.has(part.callOutcome)) return null;
  return { type: 'call_log', body: '', data: { isVideo: part.isVideo ?? false } };
}

/** The answer to a button or a list, in all forms that WhatsApp has used. */
function choice(content: proto.IMessage): Content | null {
  const list = content.listResponseMessage;
  const button = content.buttonsResponseMessage;
  const template = content.templateButtonReplyMessage;
  const answer = (choiceId?: string | null, body?: string | null): Content => ({
    type: 'conversation',
    body: body ?? choiceId ?? '',
    choiceId: choiceId ?? '',
  });
  if (list) return answer(list.singleSelectReply?.selectedRowId, list.title);
  if (button) return answer(button.selectedButtonId, button.selectedDisplayText);
  if (template) return answer(template.selectedId, template.selectedDisplayText);
  const flow = content.interactiveResponseMessage;
  if (!flow) return null;
  return answer(chosen(flow.nativeFlowResponseMessage?.paramsJson), flow.body?.text);
}

function chosen(json: string | null | undefined): string {
  try {
    const { id } = JSON.parse(json ?? '{}') as { id?: unknown };
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}

function protocol(part: proto.Message.IProtocolMessage): Content | null {
  const target = part.key?.id ?? '';
  if (Number(part.type) === REVOKE && target) return { type: 'delete', body: '', deletes: target };
  if (Number(part.type) === MESSAGE_EDIT && target) {
    const edited = contentOf(part.editedMessage);
    return { type: 'edit', body: edited?.body ?? '', edits: target };
  }
  return null;
}

/** The content of a message; null if it contains nothing for people. */
export function contentOf(message: proto.IMessage | null | undefined): Content | null {
  const content = normalizeMessageContent(message);
  // Spelt with three s, which Baileys does not recognise as a message.
  if (content?.callLogMesssage) return missedCall(content.callLogMesssage);
  const kind = getContentType(content);
  if (!content || !kind) return null;
  const secret = (content.messageContextInfo ?? message?.messageContextInfo)?.messageSecret;
  const said = spoken(content) ?? asked(content, base64(secret)) ?? choice(content);
  if (said) return withContext(said, content[kind] as { contextInfo?: proto.IContextInfo | null });
  if (content.pollUpdateMessage) return vote(content.pollUpdateMessage);
  if (content.protocolMessage) return protocol(content.protocolMessage);
  return SILENT.has(kind) ? null : UNKNOWN;
}

function spoken(content: proto.IMessage): Content | null {
  if (content.conversation) return { type: 'conversation', body: content.conversation };
  const { extendedTextMessage: text, imageMessage: image, audioMessage: audio } = content;
  if (text) return { type: 'conversation', body: text.text ?? '' };
  if (image) return { type: 'image', body: image.caption ?? '', media: media('image', image) };
  if (audio) return { type: 'audio', body: '', media: media('audio', audio) };
  const video = content.videoMessage ?? content.ptvMessage;
  if (video) return { type: 'video', body: video.caption ?? '', media: media('video', video) };
  const { documentMessage: file, stickerMessage: sticker, reactionMessage: reaction } = content;
  if (file) {
    const name = file.fileName ?? file.title ?? '';
    return { type: 'document', body: file.caption ?? name, media: media('document', file, name) };
  }
  if (sticker) return { type: 'sticker', body: '', media: media('sticker', sticker) };
  if (reaction) {
    const emoji = reaction.text ?? '';
    return { type: 'reaction', body: emoji, reaction: { to: reaction.key?.id ?? '', emoji } };
  }
  return shared(content);
}

function shared(content: proto.IMessage): Content | null {
  const location = content.locationMessage ?? content.liveLocationMessage;
  if (location) return place(location);
  if (content.contactMessage) return cards([content.contactMessage]);
  if (content.contactsArrayMessage) return cards(content.contactsArrayMessage.contacts ?? []);
  return null;
}

/** A poll, in all forms that WhatsApp has used. */
function asked(content: proto.IMessage, secret: string): Content | null {
  const wrapped = content.pollCreationMessageV4?.message;
  const part =
    content.pollCreationMessage ??
    content.pollCreationMessageV2 ??
    content.pollCreationMessageV3 ??
    content.pollCreationMessageV5 ??
    wrapped?.pollCreationMessage ??
    wrapped?.pollCreationMessageV3;
  return part ? poll(part, secret) : null;
}

function withContext(
  said: Content,
  part: { contextInfo?: proto.IContextInfo | null } | string,
): Content {
  const context = typeof part === 'string' ? null : part.contextInfo;
  if (!context) return said;
  return {
    ...said,
    ...(context.stanzaId ? { replyTo: context.stanzaId } : {}),
    ...(context.isForwarded ? { data: { ...said.data, forwarded: true } } : {}),
  };
}
