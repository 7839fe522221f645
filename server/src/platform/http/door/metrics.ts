const bucketSeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

interface Series {
  readonly labels: string;
  readonly buckets: number[];
  count: number;
  sumSeconds: number;
}

export interface MetricCounter {
  /** Adds to the series of this label value; to the only one if the counter has no label. */
  add(amount: number, labelValue?: string): void;
}

export interface Histogram {
  observe(seconds: number): void;
}

export interface Metrics {
  countRequest(operation: string, status: number, seconds: number): void;
  /** Counts a refused request by the code of its refusal; `fault` is a bug of the server. */
  countError(code: string): void;
  countUpload(bytes: number): void;
  /** Adds a gauge; `read` is called each time the metrics are rendered. */
  addGauge(name: string, help: string, read: () => number): void;
  /** Adds a gauge with one series for each value of a label. */
  addGauges(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void;
  /** Adds a counter. The series of the given label values exist from the start, so that their first increase is seen. */
  addCounter(name: string, help: string, label?: string, labelValues?: readonly string[]): MetricCounter;
  addHistogram(name: string, help: string): Histogram;
  render(): string;
}

/** Counts in plain arrays, because a general metrics library reduced the throughput of a small read by a fifth. */
export function createMetrics(): Metrics {
  const requests = new Map<string, Series>();
  const others: (() => readonly string[])[] = [];
  const addCounter: Metrics['addCounter'] = (name, help, label, labelValues = ['']) => {
    const sums = new Map(labelValues.map((value) => [value, 0]));
    others.push(() => [
      ...head(name, help, 'counter'),
      ...[...sums].map(([value, sum]) => `${name}${label === undefined ? '' : `{${label}="${value}"}`} ${sum}`),
    ]);
    return { add: (amount, value = '') => void sums.set(value, (sums.get(value) ?? 0) + amount) };
  };
  const errors = addCounter('earshot_errors_total', 'Refused requests by their code; fault: a bug.', 'code', [
    'fault',
    'unavailable',
  ]);
  const uploads = addCounter('earshot_uploads_total', 'Requests that uploaded bytes.');
  const uploadBytes = addCounter('earshot_upload_bytes_total', 'Bytes of uploads.');
  return {
    countError: (code) => errors.add(1, code),
    countUpload(bytes) {
      uploads.add(1);
      uploadBytes.add(bytes);
    },
    countRequest(operation, status, seconds) {
      const id = `${operation} ${status}`;
      let series = requests.get(id);
      if (!series) {
        series = createSeries(`operation="${operation}",status="${status}"`);
        requests.set(id, series);
      }
      observeIn(series, seconds);
    },
    addGauge(name, help, read) {
      others.push(() => [...head(name, help, 'gauge'), `${name} ${read()}`]);
    },
    addGauges(name, help, label, read) {
      others.push(() => [
        ...head(name, help, 'gauge'),
        ...Object.entries(read()).map(([value, number]) => `${name}{${label}="${value}"} ${number}`),
      ]);
    },
    addCounter,
    addHistogram(name, help) {
      const series = createSeries('');
      others.push(() => [...head(name, help, 'histogram'), ...renderSeries(name, series)]);
      return { observe: (seconds) => observeIn(series, seconds) };
    },
    render: () => [...renderRequests([...requests.values()]), ...others.flatMap((read) => read()), ''].join('\n'),
  };
}

const head = (name: string, help: string, type: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const createSeries = (labels: string): Series => ({
  labels,
  buckets: bucketSeconds.map(() => 0),
  count: 0,
  sumSeconds: 0,
});

function observeIn(series: Series, seconds: number): void {
  series.count += 1;
  series.sumSeconds += seconds;
  const bucket = bucketSeconds.findIndex((limit) => seconds <= limit);
  if (bucket >= 0) series.buckets[bucket]! += 1;
}

function renderRequests(all: readonly Series[]): string[] {
  const name = 'earshot_http_request_duration_seconds';
  return [
    ...head(name, 'Time from the arrival of a request to its response.', 'histogram'),
    ...all.flatMap((series) => renderSeries(name, series)),
  ];
}

function renderSeries(name: string, { labels, buckets, count, sumSeconds }: Series): string[] {
  const lines: string[] = [];
  const lead = labels && `${labels},`;
  const braces = labels && `{${labels}}`;
  let below = 0;
  for (const [index, limit] of bucketSeconds.entries()) {
    below += buckets[index] ?? 0;
    lines.push(`${name}_bucket{${lead}le="${limit}"} ${below}`);
  }
  lines.push(`${name}_bucket{${lead}le="+Inf"} ${count}`);
  lines.push(`${name}_sum${braces} ${sumSeconds}`, `${name}_count${braces} ${count}`);
  return lines;
}
