/**
 * Complete sample programs that send and receive; tests/journeys/test_messages_api.py runs them.
 */

export const LANGUAGES = ['curl', 'python', 'javascript'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Kind = 'text' | 'media';

interface Values {
  /** The absolute URL of the call. */
  address: string;
  /** Country code, area code and number, in digits only. */
  number: string;
  /** The text, or the caption of the file. */
  body: string;
}

const TEXT: Record<Language, (values: Values) => string> = {
  curl: ({ address, number, body }) => `curl -sS -X POST '${address}' \\
  -H "Authorization: Bearer $BALCAO_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"number": "${number}", "body": "${body}"}'`,
  python: ({ address, number, body }) => `# pip install requests
import os
import requests

answer = requests.post(
    "${address}",
    headers={"Authorization": "Bearer " + os.environ["BALCAO_TOKEN"]},
    json={"number": "${number}", "body": "${body}"},
    timeout=30,
)
print(answer.status_code, answer.json())`,
  javascript: ({ address, number, body }) => `// Node.js 20
const answer = await fetch('${address}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ' + process.env.BALCAO_TOKEN,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ number: '${number}', body: '${body}' }),
});
console.log(answer.status, await answer.json());`,
};

const MEDIA: Record<Language, (values: Values) => string> = {
  curl: ({ address, number, body }) => `curl -sS -X POST '${address}' \\
  -H "Authorization: Bearer $BALCAO_TOKEN" \\
  -F 'number=${number}' \\
  -F 'body=${body}' \\
  -F 'medias=@foto.png'`,
  python: ({ address, number, body }) => `# pip install requests
import os
import requests

with open("foto.png", "rb") as picture:
    answer = requests.post(
        "${address}",
        headers={"Authorization": "Bearer " + os.environ["BALCAO_TOKEN"]},
        data={"number": "${number}", "body": "${body}"},
        files=[("medias", picture)],
        timeout=120,
    )
print(answer.status_code, answer.json())`,
  javascript: ({ address, number, body }) => `// Node.js 20
import { readFile } from 'node:fs/promises';

const form = new FormData();
form.set('number', '${number}');
form.set('body', '${body}');
const picture = await readFile('foto.png');
form.append('medias', new Blob([picture], { type: 'image/png' }), 'foto.png');
const answer = await fetch('${address}', {
  method: 'POST',
  headers: { Authorization: 'Bearer ' + process.env.BALCAO_TOKEN },
  body: form,
});
console.log(answer.status, await answer.json());`,
};

/** A sample program that sends a text or a file. */
export const sampleOf = (kind: Kind, language: Language, values: Values): string =>
  (kind === 'text' ? TEXT : MEDIA)[language](values);

/**
 * A sample program that prints live events, and after an interruption those that it missed;
 * `origin` is the installation's scheme and host.
 */
export const listenerOf = (origin: string) => `# pip install websockets
import json
import os
import time
from urllib.parse import quote
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

address = "${origin.replace('http', 'ws')}/ws/events/"
bearer = {"Authorization": "Bearer " + os.environ["BALCAO_SERVICE_TOKEN"]}
cursor = ""
while True:
    after = "?after=" + quote(cursor) if cursor else ""
    try:
        with connect(address + after, additional_headers=bearer) as events:
            events.send(json.dumps({"join": "notification"}))
            for frame in events:
                print(frame, flush=True)
                cursor = json.loads(frame)["cursor"]
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd else 0
        if code in (4401, 4403):
            raise
        if code == 4409:
            cursor = ""
    except OSError as error:
        print(error)
    time.sleep(1)`;
