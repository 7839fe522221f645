import type { Device } from '@earshot/contract/device';
import type { LogLevel, LogMessageWithNames } from '@earshot/contract/log-message';
import { logLevels } from '@earshot/contract/log-message';
import { largestCount } from '@earshot/contract/values';
import { useKept } from '../../lib/kept.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useLatest } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import type { Tone } from '../../lib/ui/elements.tsx';
import { Badge, Empty, UserText } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { SearchField } from '../../lib/ui/search-field.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { useReload } from '../../lib/use-reload.ts';
import { linesPerPage, logOf } from './data.ts';
import { countText } from '../../lib/ui/count-text.ts';

const levels: Readonly<Record<LogLevel, { readonly label: string; readonly tone: Tone }>> = {
  error: { label: 'Error', tone: 'bad' },
  warning: { label: 'Warning', tone: 'warn' },
  info: { label: 'Info', tone: 'idle' },
  debug: { label: 'Debug', tone: 'idle' },
};

/** The log of the device: searched, filtered by level, newest first. */
export function DeviceLog({ device }: { readonly device: Device }) {
  const deviceID = device.key ?? 0;
  const { query } = currentLocation.value;
  const searchText = query.get('find') ?? '';
  const level = logLevels.find((name) => name === query.get('level'));
  useReload(`log ${deviceID} `);
  return (
    <>
      <div class="toolbar">
        <SearchField label="Search the log" value={searchText} onSearch={(find) => setQuery({ find })} />
        <FilterSelect
          label="Level"
          bare
          value={level ?? ''}
          options={[
            { value: '', label: 'All levels' },
            ...logLevels.map((value) => ({ value, label: levels[value].label })),
          ]}
          onChange={(chosen) => setQuery({ level: chosen })}
        />
      </div>
      <Lines key={`${level ?? ''} ${searchText}`} device={device} searchText={searchText} level={level} />
    </>
  );
}

interface LinesProps {
  readonly device: Device;
  readonly searchText: string;
  readonly level: LogLevel | undefined;
}

function Lines({ device, searchText, level }: LinesProps) {
  const [pages, setPages] = useKept(`log pages ${level ?? ''} ${searchText}`, 1);
  const count = Math.min(linesPerPage * pages, largestCount);
  const lines = useLatest(logOf(device.key ?? 0, { searchText, level, count }));
  const isFull = lines.data !== undefined && lines.data.length >= count;
  return (
    <>
      <p class="unseen" role="status">
        {lines.data && countText(lines.data.length, 'line')}
      </p>
      <div class="card">
        <WhenLoaded from={lines} rows={6}>
          {(list) =>
            list.length === 0 ? (
              <NoLines isFiltered={searchText !== '' || level !== undefined} />
            ) : (
              <ul class="rows">
                {list.map((line) => (
                  <Line key={line.key} line={line} zone={device.timeZone} />
                ))}
              </ul>
            )
          }
        </WhenLoaded>
      </div>
      {isFull && (
        <div class="more">
          {count < largestCount ? (
            <Button onClick={() => setPages(pages + 1)}>Load older</Button>
          ) : (
            <p class="quiet">These are the newest {largestCount} lines. Search to find older ones.</p>
          )}
        </div>
      )}
    </>
  );
}

function NoLines({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty icon="search" title="No lines found" />;
  return (
    <Empty icon="file" title="The log is empty">
      What the programs on the device write to their log appears here.
    </Empty>
  );
}

function Line({ line, zone }: { readonly line: LogMessageWithNames; readonly zone: string | undefined }) {
  const { level = 'info', message, messageDate, agentType, agentIndex = 0 } = line;
  const { label, tone } = levels[level];
  return (
    <li class="row log-line">
      <p class="log-head">
        <Badge tone={tone}>{label}</Badge>
        {messageDate && <Time date={messageDate} zone={zone} />}
        {agentType && <UserText text={agentIndex > 0 ? `${agentType} ${agentIndex}` : agentType} />}
      </p>
      <p class="log-text" dir="auto">
        {message}
      </p>
    </li>
  );
}
