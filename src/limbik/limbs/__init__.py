"""What people hold: limbs, their solutions, chains, limits and tracks."""
