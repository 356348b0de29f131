// A fake of Meta's signup window: it posts WA_EMBEDDED_SIGNUP and the code, then closes.
const extras = JSON.parse(new URLSearchParams(location.search).get('extras') ?? '{}');
const staysOnPhone = extras.featureType === 'whatsapp_business_app_onboarding';
const by = (id) => document.getElementById(id);

by('kind').textContent = staysOnPhone
  ? 'O número continua no aplicativo WhatsApp Business do celular.'
  : 'O número passa a ser usado só pela API oficial.';

function post(event, data) {
  const message = { type: 'WA_EMBEDDED_SIGNUP', event, data, version: '3' };
  window.opener?.postMessage(JSON.stringify(message), '*');
}

async function signUp() {
  const form = new FormData(by('form'));
  const answer = await fetch('/simulator/api/signup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      display_phone_number: form.get('number'),
      verified_name: form.get('name'),
      coexistence: staysOnPhone,
    }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

function end(event, data, code) {
  post(event, data);
  if (code) window.opener?.postMessage({ type: 'simulated_code', code }, '*');
  window.close();
}

by('form').addEventListener('submit', (event) => {
  event.preventDefault();
  signUp().then(
    ({ code, phone_number_id, waba_id }) =>
      staysOnPhone
        ? // Meta sends only the account's id.
          end('FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING', { waba_id }, code)
        : end('FINISH', { phone_number_id, waba_id, business_id: '1' }, code),
    (error) => {
      by('problem').textContent = error.message;
    },
  );
});
by('cancel').addEventListener('click', () => end('CANCEL', { current_step: 'PHONE_NUMBER_SETUP' }));
by('no-number').addEventListener('click', () =>
  signUp().then(({ code, waba_id }) => end('FINISH_ONLY_WABA', { waba_id }, code)),
);
by('fail').addEventListener('click', () =>
  end('ERROR', { error_message: 'Este número não pode ser usado.', error_id: '1', session_id: 's' }),
);
