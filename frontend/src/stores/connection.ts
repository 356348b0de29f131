import { create } from 'zustand';

type ConnectionState = 'connecting' | 'connected' | 'lost';

/** The live channel's state, for the banner. */
export const useConnection = create<{ state: ConnectionState }>(() => ({ state: 'connecting' }));

export const setConnection = (state: ConnectionState) => useConnection.setState({ state });
