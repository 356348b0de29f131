/* global AudioWorkletProcessor, registerProcessor */

/** Sends the microphone's sound, mono, to the encoder without passing through the page. */
class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.hasEnded = false;
    this.port.onmessage = ({ data }) => {
      if (data === 'end') {
        this.hasEnded = true;
        // Comes after all the sound that was sent the same way.
        this.encoder?.postMessage(null);
      } else this.encoder = data;
    };
  }

  process([channels]) {
    if (this.hasEnded) return false;
    if (channels.length === 0 || !this.encoder) return true;
    const mono = new Float32Array(channels[0].length);
    for (const channel of channels)
      for (let place = 0; place < mono.length; place += 1)
        mono[place] += channel[place] / channels.length;
    this.encoder.postMessage(mono, [mono.buffer]);
    return true;
  }
}

registerProcessor('capture', Capture);
