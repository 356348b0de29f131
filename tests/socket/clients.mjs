// Drives real socket.io clients for the tests: one JSON command a line in, one JSON report a line
// out. {op: "open", id, version, url, options} · {op: "emit", id, event, args}
// {op: "raw", id, text} · {op: "close", id}
import { createInterface } from 'node:readline';
import { io as io3 } from 'socket.io-client-3';
import { io as io4 } from 'socket.io-client-4';

const sockets = new Map();
const report = (id, event, data) =>
  process.stdout.write(`${JSON.stringify({ id, event, data: data ?? null })}\n`);

function open({ id, version, url, options }) {
  const socket = (version === 3 ? io3 : io4)(url, options);
  sockets.set(id, socket);
  socket.on('connect', () => report(id, 'connect', { sid: socket.id, at: Date.now() }));
  socket.on('disconnect', (reason) => report(id, 'disconnect', reason));
  socket.on('connect_error', (error) => report(id, 'connect_error', error.message));
  socket.onAny((event, data) => report(id, event, data));
}

const operations = {
  open,
  emit: ({ id, event, args }) =>
    sockets.get(id).emit(event, ...args, (answer) => report(id, `ack ${event}`, answer)),
  raw: ({ id, text }) => sockets.get(id).io.engine.write(text),
  close: ({ id }) => {
    sockets.get(id).close();
    sockets.delete(id);
    report(id, 'closed');
  },
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const command = JSON.parse(line);
    operations[command.op](command);
  })
  .on('close', () => process.exit(0));
