import { useEffect, useRef, useState } from 'preact/hooks';
import { PageHead } from '../../lib/ui/elements.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { positionText } from '../../lib/ui/times.ts';
import { addRecording, UploadedRecordings } from './recording.tsx';
import type { Take } from './microphone.ts';
import { canRecord, microphoneProblem, startTake } from './microphone.ts';

/** The longest recording, in milliseconds. */
const longestMs = 3_600_000;

export function RecordPage() {
  return (
    <>
      <PageHead title="Record" under="Press the button and speak. The words appear a few seconds after you stop." />
      {canRecord() ? <Recorder /> : <NotHere />}
      <UploadedRecordings />
    </>
  );
}

function NotHere() {
  return (
    <p class="alert" role="alert">
      Browsers give a microphone only to pages that are opened with HTTPS or on this computer itself. Open the console
      by HTTPS, or add a file instead.
    </p>
  );
}

function Recorder() {
  const [take, setTake] = useState<Take | undefined>();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const current = useRef<Take | undefined>(undefined);
  current.current = take;
  useEffect(() => () => current.current?.discard(), []);

  const start = async () => {
    setProblem('');
    setBusy(true);
    try {
      setTake(await startTake());
    } catch (error) {
      setProblem(microphoneProblem(error));
    }
    setBusy(false);
  };
  const stop = async () => {
    if (!take) return;
    setTake(undefined);
    await addRecording(await take.stop(), take.startMs);
  };
  return (
    <div class="record">
      {take ? <Level take={take} onEnd={() => void stop()} /> : <p class="record-clock figures">0:00</p>}
      {take ? (
        <Button kind="danger" onClick={() => void stop()}>
          Stop
        </Button>
      ) : (
        <Button kind="primary" icon="microphone" busy={busy} onClick={() => void start()}>
          Record
        </Button>
      )}
      <p class="alert" role="alert" hidden={problem === ''}>
        {problem}
      </p>
    </div>
  );
}

interface LevelProps {
  readonly take: Take;
  readonly onEnd: () => void;
}

/** The time and the loudness, so that people see that they are heard. */
function Level({ take, onEnd }: LevelProps) {
  const meter = useRef<HTMLMeterElement>(null);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      if (meter.current) meter.current.value = take.level();
      const passedMs = Date.now() - take.startMs;
      setSeconds(Math.floor(passedMs / 1_000));
      if (passedMs >= longestMs) onEnd();
      else frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [take]);
  return (
    <>
      <p class="record-clock figures">
        <span class="record-dot" aria-hidden="true" />
        <span class="unseen">Recording for </span>
        {positionText(seconds * 1_000)}
      </p>
      <meter ref={meter} class="record-level" min={0} max={1} aria-label="Loudness" />
    </>
  );
}
