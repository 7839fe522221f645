import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

/** Metrics of the process, with the names that Prometheus dashboards expect where such names exist. */
export function measureProcess(metrics: Metrics, isSubscribed: () => boolean): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const addGauge: Metrics['addGauge'] = (...gauge) => metrics.addGauge(...gauge);
  addGauge('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss());
  addGauge('process_cpu_seconds', 'CPU time used since the process started.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  addGauge('process_uptime_seconds', 'Time since the process started.', () => process.uptime());
  addGauge(
    'nodejs_eventloop_delay_p99_seconds',
    '99th percentile of the event loop delay since the last scrape.',
    () => {
      const seconds = delay.percentile(99) / 1e9;
      delay.reset();
      return seconds;
    },
  );
  addGauge(
    'earshot_cluster_subscribed',
    '1 if this node receives the notifications of the other nodes, 0 if it therefore uses no caches.',
    () => (isSubscribed() ? 1 : 0),
  );
}
