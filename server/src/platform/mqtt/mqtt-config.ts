import { isTopic } from './topic.ts';

/** The MQTT broker of the operator. */
export interface MqttConfig {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly version: '5' | '3.1.1';
  /** All topics of the platform are below it, but for the descriptions for Home Assistant. */
  readonly topic: string;
}

/** Faults never repeat the URL: it may hold a password. */
export function readMqtt(
  environment: Readonly<Record<string, string | undefined>>,
  faults: string[],
): MqttConfig | undefined {
  const given = (name: string) => environment[`EARSHOT_MQTT_${name}`]?.trim() || undefined;
  const [url, version = '5', topic = 'earshot'] = [given('URL'), given('VERSION'), given('TOPIC')];
  if (version !== '5' && version !== '3.1.1') faults.push(`EARSHOT_MQTT_VERSION must be 5 or 3.1.1, not "${version}"`);
  if (!isTopic(topic))
    faults.push(`EARSHOT_MQTT_TOPIC must be a topic such as home/earshot, without + and #, not "${topic}"`);
  if (url === undefined) return undefined;
  const server = readServer(url);
  if (!server)
    faults.push('EARSHOT_MQTT_URL must be such as mqtt://user:password@broker.example.org:1883 or mqtts://…');
  return server && { ...server, version: version === '3.1.1' ? version : '5', topic };
}

function readServer(text: string): Pick<MqttConfig, 'host' | 'port' | 'isSecure' | 'login'> | undefined {
  try {
    const { protocol, hostname, port, pathname, search, username, password } = new URL(text);
    const isUsable = ['mqtt:', 'mqtts:'].includes(protocol) && hostname !== '' && pathname.length < 2 && search === '';
    if (!isUsable) return undefined;
    const isSecure = protocol === 'mqtts:';
    const user = decodeURIComponent(username);
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (isSecure ? 8883 : 1883) : Number(port),
      isSecure,
      login: user === '' ? undefined : { user, pass: decodeURIComponent(password) },
    };
  } catch {
    // No URL, or a % in it that encodes nothing.
    return undefined;
  }
}
