import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

/** The state of the process, under the names that Prometheus dashboards expect where there are such. */
export function measureProcess(metrics: Metrics, isHearing: () => boolean): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const addGauge: Metrics['addGauge'] = (...gauge) => metrics.addGauge(...gauge);
  addGauge('process_resident_memory_bytes', 'Memory held by the process.', () => process.memoryUsage.rss());
  addGauge('process_cpu_seconds', 'CPU time used since the start.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  addGauge('process_uptime_seconds', 'Time since the start.', () => process.uptime());
  addGauge('nodejs_eventloop_delay_p99_seconds', 'Delay of the event loop since it was last asked.', () => {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return seconds;
  });
  addGauge('earshot_cluster_hearing', 'Whether this node hears the others (1) or relies on no memory (0).', () =>
    isHearing() ? 1 : 0,
  );
}
