"""A step for one token alone: its headline and its picture. The matrices of all tokens are beside this folder."""
