/**
 * The keys that Home Assistant reads in a description of a device, from its source: each file is of homeassistant/components/mqtt
 * at the commit. docs/guides/home-assistant.md shows the table.
 */
export const homeAssistantCommit = '0f5c1b547043f5395608e09de3dcf4b7cfafef3d';

const abbreviations = 'abbreviations.py';

/** Of the description itself. */
export const rootKeys: Readonly<Record<string, string>> = {
  device: abbreviations,
  origin: abbreviations,
  components: abbreviations,
  availability_topic: abbreviations,
};

export const deviceKeys: Readonly<Record<string, string>> = {
  identifiers: abbreviations,
  name: abbreviations,
  manufacturer: abbreviations,
  serial_number: abbreviations,
  sw_version: abbreviations,
  configuration_url: abbreviations,
};

export const originKeys: Readonly<Record<string, string>> = {
  name: abbreviations,
  sw_version: abbreviations,
};

export const componentKeys: Readonly<Record<string, string>> = {
  platform: 'schemas.py',
  unique_id: abbreviations,
  name: abbreviations,
  state_topic: abbreviations,
  unit_of_measurement: abbreviations,
  state_class: abbreviations,
  device_class: abbreviations,
  payload_on: abbreviations,
  payload_off: abbreviations,
  json_attributes_topic: abbreviations,
  command_topic: abbreviations,
  payload_press: abbreviations,
  qos: 'const.py',
};

/** SUPPORTED_COMPONENTS of const.py, as far as they are used. */
export const platforms: readonly string[] = ['sensor', 'binary_sensor', 'button'];

/** A description whose topic has other characters is refused: TOPIC_MATCHER of discovery.py. */
export const discoveryTopicForm = /^homeassistant\/device\/[a-zA-Z0-9_-]+\/config$/;
