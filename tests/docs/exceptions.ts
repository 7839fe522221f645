interface Exception {
  readonly files: readonly string[];
  /** Code, or the part of it that makes it an exception. */
  readonly texts: readonly string[];
  readonly why: string;
}

/** What the documentation mentions although the project does not have it. */
export const exceptions: readonly Exception[] = [
  {
    files: ['CONTRIBUTING.md'],
    texts: [
      'agentcount',
      'countAgents',
      'countDeviceAgents',
      'agent-count.test.ts',
      'deviceModel',
      '0018_device_model.sql',
    ],
    why: 'The reader adds these.',
  },
  {
    files: ['docs/deploy.md'],
    texts: ['deploy/.env'],
    why: 'The commands on the page make it.',
  },
  {
    files: ['docs/guides/channels.md'],
    texts: ['told.mjs'],
    why: 'The commands on the page make it.',
  },
  {
    files: ['docs/releasing.md'],
    texts: ['earshot-0.2.0.mjs', 'earshot-agent-0.2.0.mjs', 'earshot-agent-launch-0.2.0.mjs'],
    why: 'A release makes them.',
  },
  {
    files: ['docs/compatibility.md', 'docs/decisions/0023-tus-uploads.md'],
    texts: [
      'openmhz_uploader',
      'overridePatchMethod',
      'parallelUploads',
      'set_device_run_analytics',
      'set_startup_preset',
      'create_temp_file',
      'get_user_setting',
    ],
    why: 'Names of other programs.',
  },
  {
    files: ['docs/agent.md', 'docs/decisions/0031-backup-before-upgrade.md'],
    texts: ['memory.limit_in_bytes', 'pg_dump'],
    why: 'Names of the kernel and of PostgreSQL.',
  },
  {
    files: ['docs/high-availability.md'],
    texts: [
      'loop_wait',
      'retry_timeout',
      'synchronous_mode_strict',
      'use_slots',
      'etcd3',
      'ETCD_ENABLE_V2',
      'max_slot_wal_keep_size',
    ],
    why: 'Settings of Patroni and of PostgreSQL.',
  },
];
