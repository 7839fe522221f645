/* Whether this browser plays a sound when the bell has something new. Off until somebody chooses it. */

const storageName = 'earshot bell sound';

export function hasBellSound(): boolean {
  try {
    return localStorage.getItem(storageName) === 'on';
  } catch {
    return false;
  }
}

export function chooseBellSound(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(storageName, 'on');
    else localStorage.removeItem(storageName);
  } catch {
    // The browser blocks its storage: the choice holds for no other page.
  }
}

const [firstHertz, secondHertz] = [880, 660];
const toneSeconds = 0.18;

/** Two short tones. */
export function playBellSound(): void {
  const context = new AudioContext();
  const gain = context.createGain();
  gain.gain.value = 0.08;
  gain.connect(context.destination);
  for (const [at, hertz] of [firstHertz, secondHertz].entries()) {
    const tone = context.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(gain);
    tone.start(context.currentTime + at * toneSeconds);
    tone.stop(context.currentTime + (at + 1) * toneSeconds);
    if (at === 1) tone.addEventListener('ended', () => void context.close());
  }
}
